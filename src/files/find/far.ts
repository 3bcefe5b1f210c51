import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import { stateOf } from '../../db/state.ts'
import { combine, type FileSet, fewFilesOf } from '../file-set.ts'
import { confiningSets, matchingFiles } from '../filter/sets.ts'
import { areVisibleAtHand, visibleFiles } from '../sets/visible.ts'
import { matchingAmong } from './by-tags.ts'
import { LEAVES_TO_PROBE } from './plan.ts'
import { describe, type FileList, rangeIsIndexed, type Walk } from './query.ts'
import { ALL_TIMES, isBounded } from './range.ts'
import { filesOfList } from './sources.ts'
import { type Entry, entryAt, nextOfSet, sortMatches } from './statement.ts'
import { countLeaves, type Tree } from './tree.ts'

/** So many files are passed along an index for the cost of looking up and sorting one. */
const PASSED_FOR_ONE_SORTED = 4
/** Sorting more would hold up everybody. */
const MOST_SORTED = 5000
/**
 * How many files are passed before other requests get a turn: twice those that are wanted, or more, and
 * more each time, up to a limit.
 */
const FIRST_STRETCH = 500
const LONGEST_STRETCH = 8000

/**
 * Returns the files of a walk, nearest first, where `findNear` doesn't: by the set of those that match, in turns with
 * other requests.
 */
export function walkFar(db: Db, request: Walk): Promise<Entry[]> {
  const { tree } = request.list
  const isProbed = isConfined(request.list) && (!tree || countLeaves(tree) <= LEAVES_TO_PROBE)
  return walkSet(db, request, isProbed ? null : tree)
}

/** Returns whether the files of a list are those of a small set, perhaps, whoever sees them. */
function isConfined(list: FileList): boolean {
  const isOfTimes = isBounded(list.range) && !rangeIsIndexed(list)
  return list.pool !== null || list.search !== '' || isOfTimes
}

/** Returns the entry of a file, or undefined if it isn't in the list. */
export function findEntry(db: Db, list: FileList, rid: number): Entry | undefined {
  const { tree } = list
  const isAsked = tree !== null && countLeaves(tree) > LEAVES_TO_PROBE
  const bare = isAsked ? { ...list, tree: null } : list
  const query = describe(db, { list: bare, place: null, direction: 'forward', limit: 1 })
  const found = sortMatches(db, query, filesOfList([rid]), 1)
  return (isAsked ? matchingAmong(db, tree, list.viewer, found) : found)[0]
}

/**
 * Walks along the index of the sort in ever longer stretches, letting other requests run in between. Keeps those of
 * the files that match and that the viewer may view. Returns null when `rows` files were passed and there may be more.
 */
async function walkIndex(
  db: Db,
  request: Walk,
  { rows, files }: { rows: number; files: FileSet },
): Promise<Entry[] | null> {
  let found: Entry[] = []
  let rest = request
  const state = stateOf(db)
  // Files found before a pause may have been trashed, hidden or changed during it.
  const settled = () => {
    if (rest === request || stateOf(db) === state) return found
    const rids = found.map((entry) => entry.rid)
    return sortMatches(db, describe(db, request), filesOfList(rids), found.length)
  }
  let next = Math.max(FIRST_STRETCH, Math.min(request.limit * 2, LONGEST_STRETCH))
  for (let passed = 0; passed < rows; next = Math.min(next * 4, LONGEST_STRETCH)) {
    const length = Math.min(next, rows - passed)
    const query = describe(db, rest)
    const matches = nextOfSet(db, query, { length, limit: request.limit - found.length }, files)
    found.push(...matches)
    const isFull = found.length === request.limit
    found = isFull ? settled() : found
    if (found.length === request.limit) return found
    // When the page was full, the rest of the stretch has not been looked at.
    const last = isFull ? matches.at(-1) : entryAt(db, query, length - 1)
    if (!last) return settled()
    const side = request.direction === 'forward' ? 'after' : 'before'
    rest = { ...request, place: { key: last.key, id: last.id, side } }
    passed += length
    await setImmediate()
  }
  return null
}

/**
 * Finds the files by the set of those that match what confines the list, the tree, or both, and of those that the
 * viewer may view, if these are known or nothing else is asked.
 */
async function walkSet(db: Db, request: Walk, tree: Tree | null): Promise<Entry[]> {
  const { list, limit } = request
  const { viewer, trash } = list
  const confining = rangeIsIndexed(list) ? { ...list, range: ALL_TIMES } : list
  const sets = await confiningSets(db, confining)
  if (tree) sets.push(await matchingFiles(db, tree, viewer))
  // This comes last: it changes most while the others are read, and what it drops isn't asked one by one.
  const isAlone = sets.length === 0
  if (!viewer.is_admin && (isAlone || areVisibleAtHand(db, viewer, trash))) {
    sets.push(await visibleFiles(db, viewer, trash))
  }
  const files = combine('and', sets, Math.max(...sets.map((set) => set.length)))
  // The sets have settled the filter, perhaps, and the rest.
  const settled = { search: '', pool: null, tree: tree ? null : list.tree }
  const rest = { ...request, list: { ...list, ...settled } }
  const few = fewFilesOf(files, MOST_SORTED)
  const rows = few ? few.length * PASSED_FOR_ONE_SORTED : Number.POSITIVE_INFINITY
  const found = await walkIndex(db, rest, { rows, files })
  return found ?? sortMatches(db, describe(db, rest), filesOfList(few ?? []), limit)
}
