import { seenNow } from '../../auth/seen-now.ts'
import type { Db } from '../../db/client.ts'
import type { Place } from '../../db/keyset.ts'
import { question } from '../../reader/question.ts'
import { countFiles, type FileSet, filesOf, hasFile } from '../file-set.ts'
import { type Costs, costsOf } from './costs.ts'
import { membersOf } from './members.ts'
import { findNear, sortListed, walkArranged } from './near.ts'
import { describe, type FileList, type Walk } from './query.ts'
import { arrangedAmong, filesOfList, highestFile } from './sources.ts'
import { type Entry, entryAt, keyNow, nextOfSet, ridsInOrder, sortMatches } from './statement.ts'

/** How many files can be passed along an index for the cost of looking up and sorting one. */
const PASSED_FOR_ONE_SORTED = 8
const FIRST_STRETCH = 4000
const LONGEST_STRETCH = 32_000

/**
 * Returns the files of a walk, nearest first, where `findNear` returns null: by sorting more files of a source, or by
 * the set of all that match.
 */
export const walkFar = question('page', 'walk', (db: Db, request: Walk): Entry[] => {
  const walk = walkNow(db, request)
  const { list } = walk
  if (list.sort === 'manual') return walkArranged(db, walk, Number.MAX_SAFE_INTEGER)!
  // Counting names takes as long as finding them all.
  const sorted = list.search === '' ? findNear(db, walk, sortingOnly(db)) : null
  return sorted ?? walkMembers(db, walk, membersOf(db, list))
})

/** Returns a walk with its viewer's present rights, from where the file of its place is now. */
export function walkNow(db: Db, { list: asked, place, ...part }: Walk): Walk {
  const list = seenNow(db, asked)
  if (!place || list.sort !== 'manual') return { list, place, ...part }
  const key = keyNow(db, list, place.id)
  // The file may have moved, or be gone.
  const now: Place = key === undefined ? { ...place, side: 'before' } : { ...place, key }
  return { list, place: now, ...part }
}

function sortingOnly(db: Db): Costs {
  const costs = costsOf(db)
  const mostSorted = Math.floor(costs.shareSorted * highestFile(db))
  return { ...costs, first: 0, mostWalked: 0, mostStreamed: 0, mostSorted }
}

/** Returns the next members of a list: along the index of its sort, or by sorting all of them. */
export function walkMembers(db: Db, request: Walk, members: FileSet): Entry[] {
  // The set already accounts for these.
  const rest = { ...request, list: { ...request.list, tree: null, search: '', pool: null } }
  const count = countFiles(members)
  if (count === 0) return []
  const passed = walkIndex(db, rest, { rows: count * PASSED_FOR_ONE_SORTED, members })
  return passed ?? sortMatches(db, describe(db, rest), filesOfList(filesOf(members)), request.limit)
}

/** Returns null when it gives up after `rows` files. */
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

/** Returns how many files of a list come before each of these, in its order; -1 for a file that isn't in it. */
export const ranksOf = question(
  'page',
  'ranks',
  (db: Db, asked: { list: FileList; rids: number[] }): number[] => {
    const { list } = walkNow(db, { ...asked, place: null, direction: 'forward', limit: 0 })
    const members = membersOf(db, list)
    const whole: Walk = {
      ...{ list: { ...list, tree: null, search: '' }, place: null },
      ...{ direction: 'forward', limit: 0 },
    }
    const ranks = new Map(asked.rids.map((rid) => [rid, -1]))
    let passed = 0
    for (const rid of ridsInOrder(db, describe(db, whole))) {
      if (!hasFile(members, rid)) continue
      if (ranks.has(rid)) ranks.set(rid, passed)
      passed++
    }
    return asked.rids.map((rid) => ranks.get(rid)!)
  },
)

/** Returns those of the files that are in a list, in its order. */
export function amongList(db: Db, list: FileList, rids: number[]): Entry[] {
  const walk: Walk = { list, place: null, direction: 'forward', limit: rids.length }
  const { sort, pool } = list
  return sortListed(db, walk, sort === 'manual' ? arrangedAmong(pool!, rids) : filesOfList(rids))
}

/** Returns how many of the files are in a list, with the present rights of its viewer. */
export function countListed(db: Db, list: FileList, rids: number[]): number {
  // The range is copied because its ends are cached for the state in which it was first used.
  return amongList(db, seenNow(db, { ...list, range: { ...list.range } }), rids).length
}
