import type { Db } from '../../db/client.ts'
import type { Sql } from '../../db/sql.ts'
import { matchingAmong } from './by-tags.ts'
import { costsOf, GUESS } from './costs.ts'
import { choosePlan, estimateShare, LEAVES_TO_PROBE, type Plan, shareWalked } from './plan.ts'
import { describe, type FileList, rangeIsIndexed, type Walk } from './query.ts'
import { isBounded } from './range.ts'
import { filesArranged, highestFile, rowsOf, sourcesOf, tagCounts } from './sources.ts'
import {
  countRows,
  type Entry,
  entryAt,
  nextMatches,
  nextOfSource,
  sortMatches,
} from './statement.ts'
import { countLeaves, type Tree, tagsOf, traitsOf } from './tree.ts'

/** How many files are first checked against a large tree; the number doubles each time. */
const FIRST_STRETCH = 250

/**
 * Returns the files of a walk, nearest first; null if a short walk is not likely to meet them, and no index names few
 * enough files to sort quickly. Only the full-text index takes longer now and then: nothing bounds how many names it
 * passes that hold all trigrams of a text but not the text.
 */
export function findNear(db: Db, request: Walk, costs = costsOf(db)): Entry[] | null {
  const { list, limit } = request
  const { tree } = list
  if (tree?.kind === 'never') return []
  // Each takes a statement for each stretch of files.
  if (tree && traitsOf(tree).length > LEAVES_TO_PROBE) return null
  if (list.sort === 'manual') return walkArranged(db, request, costs.mostSorted)
  const total = highestFile(db)
  const share = shareOf(db, list, total)
  if (limit * shareWalked(list) <= costs.first * share) {
    const found = walk(db, request, costs.first)
    if (found) return found
  }
  const sources = sourcesOf(db, list, costs)
  return carryOut(db, request, choosePlan({ list, sources, total, share, limit, costs }))
}

function shareOf(db: Db, { tree, viewer, search, range, sort }: FileList, total: number): number {
  let share = viewer.is_admin ? 1 : GUESS.seen
  if (search !== '') share *= GUESS.named
  if (isBounded(range) && !rangeIsIndexed({ sort })) share *= GUESS.inRange
  if (!tree) return share
  const counts = tagCounts(db, tagsOf(tree))
  return (
    share * estimateShare(tree, (tag) => Math.min(1, (counts.get(tag) ?? 0) / Math.max(total, 1)))
  )
}

function carryOut(db: Db, request: Walk, plan: Plan): Entry[] | null {
  const { limit } = request
  switch (plan.way) {
    case 'empty':
      return []
    case 'far':
      return null
    case 'walk':
      return walk(db, request, plan.rows)
    case 'stream': {
      const query = describe(db, request)
      const { matches, isAll } = nextOfSource(db, query, plan.source, {
        length: plan.rows,
        limit,
      })
      return matches.length === limit || isAll() ? matches : null
    }
    case 'drive':
      return sortListed(db, request, rowsOf(plan.source))
  }
}

/** Returns the first files of a source (rows `s`) that are in the list of a walk, in its order. */
export function sortListed(db: Db, request: Walk, source: Sql): Entry[] {
  const { limit, list } = request
  const { tree, bare } = separated(request)
  if (!tree) return sortMatches(db, describe(db, request), source, limit)
  const all = sortMatches(db, describe(db, bare), source, -1)
  return matchingAmong(db, tree, list.viewer, all).slice(0, limit)
}

/** Returns the next files of a pool in manual order; null when it gives up after `rows` files. */
export function walkArranged(db: Db, request: Walk, rows: number): Entry[] | null {
  const stretch = filesArranged(describe(db, request), request.list.pool!, rows)
  const found = sortListed(db, request, stretch)
  return found.length === request.limit || countRows(db, stretch) < rows ? found : null
}

function separated(request: Walk): { tree: Tree | null; bare: Walk } {
  const { tree } = request.list
  if (!tree || countLeaves(tree) <= LEAVES_TO_PROBE) return { tree: null, bare: request }
  return { tree, bare: { ...request, list: { ...request.list, tree: null } } }
}

/** Returns null when it gives up after `rows` files. */
function walk(db: Db, request: Walk, rows: number): Entry[] | null {
  const { tree, bare } = separated(request)
  if (tree) return walkByTags(db, bare, { tree, rows })
  const query = describe(db, request)
  const matches = nextMatches(db, query, { length: rows, limit: request.limit })
  // The matches don't show whether the list has ended.
  return matches.length === request.limit || !entryAt(db, query, rows - 1) ? matches : null
}

function walkByTags(
  db: Db,
  request: Walk,
  { tree, rows }: { tree: Tree; rows: number },
): Entry[] | null {
  const { list, limit, direction } = request
  const side = direction === 'forward' ? 'after' : 'before'
  const found: Entry[] = []
  let rest = request
  for (let [passed, length] = [0, FIRST_STRETCH]; passed < rows; passed += length, length *= 2) {
    length = Math.min(length, rows - passed)
    const query = describe(db, rest)
    const seen = nextMatches(db, query, { length, limit: length })
    found.push(...matchingAmong(db, tree, list.viewer, seen))
    if (found.length >= limit) return found.slice(0, limit)
    const last = entryAt(db, query, length - 1)
    if (!last) return found
    rest = { ...rest, place: { key: last.key, id: last.id, side } }
  }
  return null
}
