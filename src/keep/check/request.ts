import type { Config } from '../../base/config.ts'
import type { WriteDeps } from '../../db/write.ts'
import type { KnownContent } from './content-queries.ts'

type WantedContent = Pick<KnownContent, 'blob' | 'sha256' | 'size'>

/** Returns the path of a possible copy of a content, which is read and compared before it is used; null without one. */
export type FindCopy = (content: WantedContent) => Promise<string | null>

export interface CheckDeps extends WriteDeps {
  config: Pick<Config, 'dataDir' | 'diskReserve' | 'store' | 'oldPlace'>
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

/** One of several parts of the contents, of about the same size: 1 to `of`. */
interface Part {
  number: number
  of: number
}

/** Returns the part that "N/M" names, or null for anything else. */
export function parsePart(text: string): Part | null {
  const found = /^(\d{1,4})\/(\d{1,4})$/.exec(text)
  if (!found) return null
  const [number, of] = [Number(found[1]), Number(found[2])]
  return number >= 1 && number <= of ? { number, of } : null
}

/** Returns whether a content is in a part, which its random name decides. */
export function isInPart(blob: string, { number, of }: Part): boolean {
  const place = (Number.parseInt(blob.slice(0, 8), 16) || 0) / 2 ** 32
  return Math.floor(place * of) + 1 === number
}
