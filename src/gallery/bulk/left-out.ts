import type { Schemas } from '../../client/index.ts'

/** Files that a request didn't change. */
export interface LeftOut {
  /** Those that belong to others. */
  locked: string[]
  /** Those that couldn't be changed for another reason, as that they are gone. */
  skipped: string[]
  /** How many more there are, which the server didn't name. */
  unnamed: number
}

/**
 * Returns which of the files of a change were left out. `locked` are those that belong to others, as
 * far as the page knows; `results` are the answers about some or all of the files, none where the
 * server doesn't tell.
 */
export function leftOutOf(
  file_ids: readonly string[],
  locked: ReadonlySet<string>,
  results: readonly Schemas['BulkResult'][],
): LeftOut {
  const named = new Set(results.flatMap(({ skipped_ids }) => skipped_ids))
  const isAllNamed =
    results.length > 0 &&
    results.every(({ skipped, skipped_ids }) => skipped === skipped_ids.length)
  // Rights that were given since are the server's to know.
  const others = file_ids.filter((id) => locked.has(id) && (named.has(id) || !isAllNamed))
  const unnamed = results.map(({ skipped, skipped_ids }) => {
    return skipped - new Set([...skipped_ids, ...others]).size
  })
  return {
    locked: others,
    skipped: [...named].filter((id) => !locked.has(id)),
    unnamed: Math.max(0, ...unnamed),
  }
}

/** Returns how many files were changed by requests about all of them, of which others may follow. */
export function reachedBy(
  file_ids: readonly string[],
  results: readonly Schemas['BulkResult'][],
): number {
  if (results.length === 0) return 0
  return Math.max(0, file_ids.length - Math.max(...results.map(({ skipped }) => skipped)))
}
