import { seenNow } from '../../auth/seen-now.ts'
import type { Db } from '../../db/client.ts'
import { question } from '../../reader/question.ts'
import { countFiles, type FileSet, filesOf } from '../file-set.ts'
import { matchingAmong } from './by-tags.ts'
import { type Costs, costsOf } from './costs.ts'
import { membersOf } from './members.ts'
import { findNear } from './near.ts'
import { LEAVES_TO_PROBE } from './plan.ts'
import { describe, type FileList, type Walk } from './query.ts'
import { filesOfList, highestFile } from './sources.ts'
import { type Entry, entryAt, nextOfSet, sortMatches } from './statement.ts'
import { countLeaves } from './tree.ts'

/** So many files are passed along an index for the cost of looking up and sorting one. */
const PASSED_FOR_ONE_SORTED = 8
/** How many files are passed at once, at first and at most. */
const FIRST_STRETCH = 4000
const LONGEST_STRETCH = 32_000

/**
 * Returns the files of a walk, nearest first, where `findNear` doesn't: by sorting more files of a source, or by the
 * set of those that match.
 */
export const walkFar = question('page', 'walk', (db: Db, request: Walk): Entry[] => {
  const list = seenNow(db, request.list)
  const walk = { ...request, list }
  // To count names takes as long as to find them all.
  const sorted = list.search === '' ? findNear(db, walk, sortingOnly(db)) : null
  return sorted ?? walkMembers(db, walk, membersOf(db, list))
})

function sortingOnly(db: Db): Costs {
  const costs = costsOf(db)
  const mostSorted = Math.floor(costs.shareSorted * highestFile(db))
  return { ...costs, first: 0, mostWalked: 0, mostStreamed: 0, mostSorted }
}

/** Returns the next of the members of a list: along the index of its sort, or all of them sorted. */
export function walkMembers(db: Db, request: Walk, members: FileSet): Entry[] {
  // The set has settled these.
  const rest = { ...request, list: { ...request.list, tree: null, search: '', pool: null } }
  const count = countFiles(members)
  if (count === 0) return []
  const passed = walkIndex(db, rest, { rows: count * PASSED_FOR_ONE_SORTED, members })
  return passed ?? sortMatches(db, describe(db, rest), filesOfList(filesOf(members)), request.limit)
}

/** Walks along the index of the sort, past at most so many files; null when the walk is given up. */
function walkIndex(
  db: Db,
  request: Walk,
  { rows, members }: { rows: number; members: FileSet },
): Entry[] | null {
  const { limit, direction } = request
  const side = direction === 'forward' ? 'after' : 'before'
  const found: Entry[] = []
  let rest = request
  let length = FIRST_STRETCH
  for (let passed = 0; passed < rows; passed += length) {
    if (passed > 0) length = Math.min(length * 2, LONGEST_STRETCH)
    const query = describe(db, rest)
    found.push(...nextOfSet(db, query, { length, limit: limit - found.length }, members))
    if (found.length === limit) return found
    const last = entryAt(db, query, length - 1)
    if (!last) return found
    rest = { ...request, place: { key: last.key, id: last.id, side } }
  }
  return null
}

/** Returns those of some files that are in a list, in its order. */
export function amongList(db: Db, list: FileList, rids: number[]): Entry[] {
  const isAsked = list.tree !== null && countLeaves(list.tree) > LEAVES_TO_PROBE
  const bare = isAsked ? { ...list, tree: null } : list
  const query = describe(db, { list: bare, place: null, direction: 'forward', limit: rids.length })
  const found = sortMatches(db, query, filesOfList(rids), rids.length)
  return isAsked ? matchingAmong(db, list.tree!, list.viewer, found) : found
}

/** Returns how many of some files are in a list, with the rights that its viewer has now. */
export function countListed(db: Db, list: FileList, rids: number[]): number {
  // The ends of a range are known of the state in which it was asked for first.
  return amongList(db, seenNow(db, { ...list, range: { ...list.range } }), rids).length
}
