import { setImmediate } from 'node:timers/promises'
import type { Db } from '../db/client.ts'
import { columnNames } from '../db/column-names.ts'
import { tags } from '../db/schema/tags.ts'
import { stateOf } from '../db/state.ts'
import {
  type Entry,
  entryAt,
  filesOfList,
  filesOfTag,
  nextMatches,
  nextOfSet,
  sortMatches,
} from './entry-queries.ts'
import { combine, countFiles, type FileSet, fewFilesOf, filesOf, hasFile } from './file-set.ts'
import { choosePlan, type Fallback, LEAVES_TO_PROBE, type Plan, shareOf } from './filter/plan.ts'
import { countInPools } from './filter/pool-queries.ts'
import { describe, type FileList, rangeIsIndexed, type Walk } from './filter/query.ts'
import { ALL_TIMES, isBounded } from './filter/range.ts'
import { confiningSets, highestFile, matchingFiles } from './filter/sets.ts'
import { countLeaves, type Tree, tagsOf } from './filter/tree.ts'
import { areVisibleAtHand, fewVisible, visibleFiles } from './sets/visible.ts'

const t = columnNames(tags)

/** So many files are passed along an index for the cost of looking up and sorting one. */
const PASSED_FOR_ONE_SORTED = 4
/** So many files are sorted before it is found to what else a list is confined. */
const FEW = 200
/**
 * How many files are passed before other requests get a turn: twice those that are wanted, or more, and
 * more each time, up to a limit.
 */
const FIRST_STRETCH = 500
const LONGEST_STRETCH = 8000
/** The share of a stretch that is likely to be met: some are hidden, and what matches may lie together. */
const MOST_MET = 0.5

// How each plan of filter/plan.ts is carried out, and roughly what it costs among a million files.
//
//   plan      function       cost
//   empty     -              nothing: the tree or the counter of a tag is enough
//   plain     walkIndex      0.2 ms: the files of the page, along the index of the sort
//   walk      walkIndex      up to 5 ms: as plain, checking up to 5,000 files; then the fallback
//   drive     sortMatches    1 ms: the files of a tag that has at most 2,000, sorted
//   confined  walkSet        1 to 70 ms, in turns, for the set of files whose names match, then as sets
//   sets      walkSet        2 to 6 ms, and 40 ms when a tag of 250,000 files is read anew
//   visible   walkSet        1 to 300 ms in turns, by how far their files lie from where the list begins, unless
//                            they are so few that sorting them is quicker
//
// What somebody may view of whom it is known that it is little, is sorted. `sets/next-members.ts` comes before.

/** Returns the files of a walk, nearest first. Calls `onFar` when they are found, if they weren't met at once. */
export async function walkFiles(
  db: Db,
  request: Walk,
  onFar: () => void = () => {},
): Promise<Entry[]> {
  const { list, limit } = request
  const far = async (found: Promise<Entry[]>) => {
    const entries = await found
    onFar()
    return entries
  }
  const plan = planOf(db, list, limit)
  const few = plan.way === 'drive' || plan.way === 'empty' ? null : await fewSeen(db, request)
  if (few) return sortFew(db, request, few)
  switch (plan.way) {
    case 'empty':
      return []
    case 'plain':
      return (await walkIndex(db, request, { rows: Number.POSITIVE_INFINITY })) ?? []
    case 'walk': {
      const near = await walkIndex(db, request, { rows: plan.rows, onFar })
      if (near) return near
      return far(walkSet(db, request, plan.fallback))
    }
    case 'drive':
      return sortMatches(db, describe(db, request), filesOfTag(plan.tag), limit)
    default:
      return far(walkSet(db, request, plan))
  }
}

/**
 * Returns the files of a walk if they are among the first that it passes, and null when they are not, or
 * are not likely to be.
 */
export async function walkNear(db: Db, request: Walk): Promise<Entry[] | null> {
  const share = Math.min(shareOf(askedOf(db, request.list)), MOST_MET)
  if (request.limit > FIRST_STRETCH * share) return null
  return walkIndex(db, request, { rows: FIRST_STRETCH })
}

/**
 * Returns the files that the viewer may view, if it is known which these are, they can be asked one by
 * one, and sorting them is quicker than to meet as many as are wanted on a walk.
 */
async function fewSeen(db: Db, request: Walk): Promise<number[] | null> {
  const { viewer, trash } = request.list
  if (viewer.is_admin || !areVisibleAtHand(db, viewer, trash)) return null
  return fewVisible(db, { viewer, trash, most: mostToSort(db, request) })
}

/**
 * Returns how many files are sorted more quickly than as many of them as are wanted are met on a walk;
 * none where they can't be asked one by one.
 */
export function mostToSort(db: Db, { list, limit }: Walk): number {
  const { tree } = list
  if (tree && countLeaves(tree) > LEAVES_TO_PROBE) return 0
  // Of n files among all, a walk passes `limit` × all ÷ n.
  const most = Math.sqrt((limit * highestFile(db)) / PASSED_FOR_ONE_SORTED)
  return isConfined(list) ? Math.min(most, FEW) : most
}

/** Returns the files of a walk among those with these row numbers. */
export function sortFew(db: Db, request: Walk, rids: number[]): Entry[] {
  // There may be no statement for so many conditions.
  if (rids.length === 0) return []
  return sortMatches(db, describe(db, request), filesOfList(rids), request.limit)
}

/** Returns how a page of so many files of a list is found. */
export function planOf(db: Db, list: FileList, limit: number): Plan {
  return choosePlan({
    ...askedOf(db, list),
    confined: isConfinedByRow(list),
    seesAll: list.viewer.is_admin,
    limit,
  })
}

function askedOf(db: Db, { tree, pool }: FileList) {
  const counts = tree ? countsOf(db, tree) : new Map<number, number>()
  return {
    tree,
    count: (tag: number) => counts.get(tag) ?? 0,
    total: highestFile(db),
    inPool: pool === null ? null : countInPools(db, [pool]),
  }
}

/** Returns whether the files of a list are those of a small set, perhaps, whoever sees them. */
function isConfined(list: FileList): boolean {
  return list.pool !== null || isConfinedByRow(list)
}

function isConfinedByRow(list: FileList): boolean {
  return list.search !== '' || (isBounded(list.range) && !rangeIsIndexed(list))
}

function countsOf(db: Db, tree: Tree): Map<number, number> {
  const rows = db.all<Pick<typeof tags.$inferSelect, 'rid' | 'file_count'>>(
    `SELECT ${t.rid}, ${t.file_count} FROM tags WHERE ${t.rid} IN (SELECT value FROM json_each(?))`,
    JSON.stringify(tagsOf(tree)),
  )
  return new Map(rows.map((row) => [row.rid, row.file_count]))
}

/** Returns the entry of a file, or undefined if it isn't in the list. */
export async function findEntry(db: Db, list: FileList, rid: number): Promise<Entry | undefined> {
  const sets = list.tree && countLeaves(list.tree) > LEAVES_TO_PROBE ? list.tree : null
  if (sets) {
    // With so many leaves the statement would be too deep to run.
    if (!hasFile(await matchingFiles(db, sets, list.viewer), rid)) return undefined
  }
  const query = describe(db, {
    list: sets ? { ...list, tree: null } : list,
    place: null,
    direction: 'forward',
    limit: 1,
  })
  return sortMatches(db, query, filesOfList([rid]), 1)[0]
}

/**
 * Walks along the index of the sort in ever longer stretches, letting other requests run in
 * between. Keeps the files that match, that the viewer may view, and that are in `files`, if given.
 * Returns null when `rows` files were passed and there may be more, and calls `onFar` when files are found
 * after the first stretch.
 */
async function walkIndex(
  db: Db,
  request: Walk,
  { rows, files, onFar }: { rows: number; files?: FileSet; onFar?: () => void },
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
  const ended = (entries: Entry[]) => {
    if (rest !== request) onFar?.()
    return entries
  }
  let next = Math.max(FIRST_STRETCH, Math.min(request.limit * 2, LONGEST_STRETCH))
  for (let passed = 0; passed < rows; next = Math.min(next * 4, LONGEST_STRETCH)) {
    const length = Math.min(next, rows - passed)
    const query = describe(db, rest)
    const stretch = { length, limit: request.limit - found.length }
    const matches = files ? nextOfSet(db, query, stretch, files) : nextMatches(db, query, stretch)
    found.push(...matches)
    const isFull = found.length === request.limit
    found = isFull ? settled() : found
    if (found.length === request.limit) return ended(found)
    // When the page was full, the rest of the stretch has not been looked at.
    const last = isFull ? matches.at(-1) : entryAt(db, query, length - 1)
    if (!last) return ended(settled())
    const side = request.direction === 'forward' ? 'after' : 'before'
    rest = { ...request, place: { key: last.key, id: last.id, side } }
    passed += length
    await setImmediate()
  }
  return null
}

/**
 * Finds the files by the set of those that match what confines the list, the filter, or both, and of
 * those that the viewer may view, if these are known or nothing else is asked.
 */
async function walkSet(db: Db, request: Walk, plan: Fallback): Promise<Entry[]> {
  const { list, limit } = request
  const { viewer, trash } = list
  const tree = plan.way === 'sets' ? list.tree : null
  const confining = rangeIsIndexed(list) ? { ...list, range: ALL_TIMES } : list
  const sets = await confiningSets(db, confining)
  if (tree) sets.push(await matchingFiles(db, tree, viewer))
  // This comes last: it changes most while the others are read, and what it drops isn't asked one by one.
  const isVisibleAsked = plan.way === 'visible' || areVisibleAtHand(db, viewer, trash)
  if (!viewer.is_admin && isVisibleAsked) sets.push(await visibleFiles(db, viewer, trash))
  const files = combine('and', sets, Math.max(...sets.map((set) => set.length)))
  // The sets have settled the filter, perhaps, and the rest.
  const settled = { search: '', pool: null, tree: tree ? null : list.tree }
  const rest = { ...request, list: { ...list, ...settled } }
  // There may be so many of them that sorting all would hold up everybody.
  const isSorted = plan.way !== 'visible' || fewFilesOf(files, mostToSort(db, rest)) !== null
  const rows = isSorted ? countFiles(files) * PASSED_FOR_ONE_SORTED : Number.POSITIVE_INFINITY
  const found = await walkIndex(db, rest, { rows, files })
  return found ?? sortMatches(db, describe(db, rest), filesOfList(filesOf(files)), limit)
}
