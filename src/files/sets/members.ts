import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import type { SortOrder } from '../../enums.ts'
import { createdFiles } from '../created-queries.ts'
import { combine, countFiles, type FileSet, hasFile } from '../file-set.ts'
import { confiningSets, highestFile, matchingFiles } from '../filter/sets.ts'
import type { FileList } from '../find/query.ts'
import { ALL_TIMES, isBounded, type Range } from '../find/range.ts'
import { orderedFiles } from './ordered.ts'
import type { Ordered } from './ordered-arrays.ts'
import type { TimeSort } from './ordered-queries.ts'
import { visibleFiles } from './visible.ts'

/** How many files are passed before other requests get a turn: about 3 ms. */
const STRETCH = 250_000
/** How many files are passed at once. */
export const PLACES = 1000

/** Which files a list holds, but for its range. */
type Unranged = Omit<FileList, 'sort' | 'order' | 'range'>

/** Which files a list holds, and the time that its range is of. */
export type Members = Unranged & { sort: TimeSort; range: Range }

/** Returns the set of the files of a list, but for its range, that the viewer sees. */
export async function membersOf(db: Db, list: Unranged): Promise<FileSet> {
  const sets = await confiningSets(db, { ...list, range: ALL_TIMES })
  if (list.tree) sets.push(await matchingFiles(db, list.tree, list.viewer))
  // This comes last, since rights may change while the others are read.
  sets.push(await visibleFiles(db, list.viewer, list.trash))
  return combine('and', sets, (highestFile(db) >>> 5) + 1)
}

/** Returns the same, but for a range of `content_datetime` alone: what was created in a range need not stand together. */
export async function membersInOrder(db: Db, list: Members): Promise<FileSet> {
  const members = await membersOf(db, list)
  if (list.sort !== 'created' || !isBounded(list.range)) return members
  return combine('and', [members, createdFiles(db, list.range)], members.length)
}

/** Returns how many of the members of a list are in its range. */
export async function countMembers(db: Db, list: Members, members: FileSet): Promise<number> {
  if (!isBounded(list.range) || list.sort === 'created') return countFiles(members)
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

/** Places of a list next to each other: `first`, then `step` further each time. */
interface Places {
  first: number
  step: 1 | -1
  length: number
}

/**
 * Calls `pass` with the next places of a list, PLACES of them or what is left at the end, for as long as
 * it wants more, in turns with other requests.
 */
export async function passInTurns(
  { ordered: { rids }, order }: Passed,
  pass: (places: Places) => boolean,
): Promise<void> {
  for (let at = 0; at < rids.length; at += PLACES) {
    if (at > 0 && at % STRETCH === 0) await setImmediate()
    if (!pass(placesAt(at, { rids, order }))) return
  }
}

/** Returns the places of a list from the nth on, PLACES of them or what is left. */
export function placesAt(
  at: number,
  { rids, order }: { rids: Uint32Array; order: SortOrder },
): Places {
  const length = Math.min(PLACES, rids.length - at)
  return order === 'asc'
    ? { first: at, step: 1, length }
    : { first: rids.length - 1 - at, step: -1, length }
}
