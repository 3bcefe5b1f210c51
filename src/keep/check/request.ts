import type { Config } from '../../base/config.ts'
import type { WriteDeps } from '../../db/write.ts'
import type { KnownContent } from './content-queries.ts'
import type { Part } from './part.ts'

/** A content that is to be found elsewhere. */
type WantedContent = Pick<KnownContent, 'blob' | 'sha256' | 'size'>

/** Returns the path where a copy of a content lies, which is read and compared before it is taken; null without one. */
export type FindCopy = (content: WantedContent) => Promise<string | null>

/** What a check needs. */
export interface CheckDeps extends WriteDeps {
  config: Pick<Config, 'dataDir' | 'diskReserve'>
}

/** What is asked of a check. */
export interface CheckOptions {
  /** Which contents are read, rather than only measured. */
  read: 'all' | 'none' | Part
  /** Whether what can be mended is mended. `check.lock` must be held. */
  repair: boolean
  /** Where a repair looks for contents that are missing or damaged. */
  findCopy?: FindCopy
  signal: AbortSignal
}
