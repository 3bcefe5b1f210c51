import type { Config } from '../../base/config.ts'
import type { WriteDeps } from '../../db/write.ts'
import type { KnownContent } from './content-queries.ts'
import type { Part } from './part.ts'

type WantedContent = Pick<KnownContent, 'blob' | 'sha256' | 'size'>

/** Returns the path of a possible copy of a content, which is read and compared before it is used; null without one. */
export type FindCopy = (content: WantedContent) => Promise<string | null>

export interface CheckDeps extends WriteDeps {
  config: Pick<Config, 'dataDir' | 'diskReserve'>
}

export interface CheckOptions {
  /** Which contents are read, rather than only measured. */
  read: 'all' | 'none' | Part
  /** Whether to mend what can be mended. The caller must hold `check.lock`. */
  repair: boolean
  /** Where a repair looks for contents that are missing or damaged. */
  findCopy?: FindCopy
  signal: AbortSignal
}
