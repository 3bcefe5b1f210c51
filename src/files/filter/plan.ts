import { countLeaves, type Tree } from './tree.ts'

/**
 * How a page of a filtered list is found.
 * - `empty`: nothing can match.
 * - `plain`: by walking along the index of the sort.
 * - `walk`: the same, checking each file; after `rows` of them the fallback takes over.
 * - `drive`: by checking and sorting the files of one rare tag.
 * - `confined`: by the set of files whose names match, that are in the pool, or in a range of times
 *   of which the sort's index knows nothing, checking each of them against the filter.
 * - `sets`: by the set of files that match, combined in memory.
 * - `visible`: by the set of files that the viewer may view.
 */
export type Plan =
  | { way: 'empty' }
  | { way: 'plain' }
  | { way: 'walk'; rows: number; fallback: Fallback }
  | { way: 'drive'; tag: number }
  | Fallback

export type Fallback = { way: 'confined' } | { way: 'sets' } | { way: 'visible' }

/** Checking each file against more leaves than this costs more than loading their sets. */
export const LEAVES_TO_PROBE = 8
/** Up to about this many files of a tag, sorting them is quicker than anything else. */
const RARE = 2000
/** How many files a walk may pass before it is given up, which takes about 5 ms. */
const WALK_ROWS = 5000
/** The assumed shares of files that match, for conditions without a counter. */
const GUESS = { untagged: 0.1, mime: 0.3, review: 0.5 }

/** What is asked of a list: its tree (null for no filter), and numbers of files. */
interface Asked {
  tree: Tree | null
  /** Returns how many files have a tag. */
  count: (tag: number) => number
  /** How many files there are. */
  total: number
  /** How many the pool has that the list is of, if any. */
  inPool: number | null
}

/**
 * Returns the plan for what is asked. `confined` is whether names are searched or times are looked up, too,
 * `seesAll` whether the viewer may view every file, and `limit` is the length of the page.
 */
export function choosePlan(
  request: Asked & { confined: boolean; seesAll: boolean; limit: number },
): Plan {
  const { tree, count, confined, inPool, seesAll, limit } = request
  if (tree?.kind === 'never') return { way: 'empty' }
  const filters = tree !== null && tree.kind !== 'always'
  if (!filters && !confined && inPool === null) {
    return seesAll
      ? { way: 'plain' }
      : { way: 'walk', rows: WALK_ROWS, fallback: { way: 'visible' } }
  }

  const probing = !filters || countLeaves(tree) <= LEAVES_TO_PROBE
  const rare = filters ? rarestTag(tree, count) : null
  if (rare && rare.count === 0) return { way: 'empty' }
  if (rare && probing && rare.count <= RARE) return { way: 'drive', tag: rare.tag }

  if (!probing) return { way: 'sets' }
  const isSmall = inPool !== null && (!filters || inPool <= RARE)
  const fallback: Fallback = { way: confined || isSmall ? 'confined' : 'sets' }
  return limit > WALK_ROWS * shareOf(request)
    ? fallback
    : { way: 'walk', rows: WALK_ROWS, fallback }
}

/** Returns which share of all files match what is asked, by estimate. */
export function shareOf({ tree, count, total, inPool }: Asked): number {
  const all = Math.max(total, 1)
  return (tree ? estimateShare(tree, count, all) : 1) * ((inPool ?? all) / all)
}

/** Returns the rarest of the tags that every matching file has, if there is one. */
function rarestTag(
  tree: Tree,
  count: (tag: number) => number,
): { tag: number; count: number } | null {
  const leaves = tree.kind === 'and' ? tree.items : [tree]
  let rarest: { tag: number; count: number } | null = null
  for (const leaf of leaves) {
    if (leaf.kind !== 'tags' || leaf.negated) continue
    if (leaf.match === 'any' && leaf.tags.length > 1) continue
    for (const tag of leaf.tags) {
      const files = count(tag)
      if (!rarest || files < rarest.count) rarest = { tag, count: files }
    }
  }
  return rarest
}

/** Estimates the share of files that match, as if conditions were independent of each other. */
function estimateShare(tree: Tree, count: (tag: number) => number, total: number): number {
  const share = (item: Tree) => estimateShare(item, count, total)
  const all = (shares: number[]) => shares.reduce((product, one) => product * one, 1)
  const any = (shares: number[]) => 1 - all(shares.map((one) => 1 - one))
  switch (tree.kind) {
    case 'always':
      return 1
    case 'never':
      return 0
    case 'tags': {
      const shares = tree.tags.map((tag) => Math.min(1, count(tag) / total))
      const matching = tree.match === 'any' ? any(shares) : all(shares)
      return tree.negated ? 1 - matching : matching
    }
    case 'untagged':
      return tree.negated ? 1 - GUESS.untagged : GUESS.untagged
    case 'mime':
    case 'review':
      return GUESS[tree.kind]
    case 'and':
      return all(tree.items.map(share))
    case 'or':
      return any(tree.items.map(share))
  }
}
