import type { Schemas } from '../../client/index.ts'
import { ApiError } from '../base/error.ts'
import { FLAGS } from '../base/listing.ts'

/** Files that a request didn't change. */
export interface LeftOut {
  /** Files that belong to others. */
  locked: string[]
  /** Files that couldn't be changed for another reason, such as that they are gone. */
  skipped: string[]
  /** How many more there are, which the server didn't name. */
  unnamed: number
}

/**
 * Returns which files of a change were left out. `locked` are those that belong to others, as far as
 * the page knows; `results` are the answers about some or all of the files, none if the server doesn't
 * report them.
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
  // Only the server knows of rights that were granted since.
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

/**
 * Returns how many files were changed by a series of requests about all of them, the rest of which may
 * still follow.
 */
export function reachedBy(
  file_ids: readonly string[],
  results: readonly Schemas['BulkResult'][],
): number {
  if (results.length === 0) return 0
  return Math.max(0, file_ids.length - Math.max(...results.map(({ skipped }) => skipped)))
}

interface Flagged {
  ids: string[]
  f: number[]
}

/**
 * Returns the files that the caller may not edit. `known` are the flags of the loaded files; those of
 * others are read by `read`, which returns a file with those that follow it. Throws what `read` throws,
 * except for a file that is gone.
 */
export async function lockedOf(
  ids: string[],
  known: ReadonlyMap<string, number>,
  read: (anchor: string) => Promise<Flagged>,
): Promise<string[]> {
  const flags = new Map<string, number | null>()
  for (const id of ids) flags.set(id, known.get(id) ?? null)
  for (const id of ids) {
    if (flags.get(id) !== null) continue
    const page = await read(id).catch(nothingWhereGone)
    page.ids.forEach((each, index) => {
      if (flags.has(each)) flags.set(each, page.f[index]!)
    })
  }
  return ids.filter((id) => {
    const own = flags.get(id) ?? FLAGS.editable
    return (own & FLAGS.editable) === 0
  })
}

function nothingWhereGone(error: unknown): Flagged {
  if (error instanceof ApiError && [403, 404].includes(error.status)) return { ids: [], f: [] }
  throw error
}
