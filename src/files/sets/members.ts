import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import type { SortOrder } from '../../enums.ts'
import { combine, countFiles, type FileSet, hasFile } from '../filter/bitset.ts'
import type { FileList } from '../filter/query.ts'
import { ALL_TIMES, isBounded } from '../filter/range.ts'
import { confiningSets, highestFile, matchingFiles } from '../filter/sets.ts'
import { type Ordered, orderedFiles } from './ordered.ts'
import { visibleFiles } from './visible.ts'

/** How many files are passed before other requests get a turn: about 3 ms. */
const STRETCH = 250_000

/** Which files a list holds, whatever their order. */
export type Members = Omit<FileList, 'sort' | 'order'> & { sort: 'created' | 'content_datetime' }

/** Returns the set of the files of a list, but for its range, that the viewer sees. */
export async function membersOf(db: Db, list: Members): Promise<FileSet> {
  const words = (highestFile(db) >>> 5) + 1
  // No name contains a NUL, and the full-text index would take one for the end of the query.
  if (list.search.includes('\0')) return new Uint32Array(words)
  const sets = list.tree ? [await matchingFiles(db, list.tree, list.viewer)] : []
  sets.push(await visibleFiles(db, list.viewer, list.trash))
  sets.push(...confiningSets(db, { ...list, range: ALL_TIMES }))
  return combine('and', sets, words)
}

/** Returns how many of the members of a list are in its range. */
export async function countMembers(db: Db, list: Members, members: FileSet): Promise<number> {
  if (!isBounded(list.range)) return countFiles(members)
  const { rids } = await orderedFiles(db, list)
  let count = 0
  for (const rid of rids) if (hasFile(members, rid)) count++
  return count
}

/** Files in the order of a list, of which those in a set are passed. */
export interface Passed {
  ordered: Ordered
  members: FileSet
  order: SortOrder
}

/**
 * Calls `pass` with the files in turns with others: with the places of the next ones, each of which is
 * in the set or not, for as long as it wants more.
 */
export async function passInTurns(
  { ordered: { rids }, order }: Passed,
  pass: (places: { first: number; step: 1 | -1; length: number }) => boolean,
): Promise<void> {
  const step = order === 'asc' ? 1 : -1
  for (let passed = 0; passed < rids.length; passed += STRETCH) {
    if (passed > 0) await setImmediate()
    const first = order === 'asc' ? passed : rids.length - 1 - passed
    const length = Math.min(STRETCH, rids.length - passed)
    if (!pass({ first, step, length })) return
  }
}
