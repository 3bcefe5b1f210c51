import { type Costs, GUESS } from './costs.ts'
import { asksRow, type FileList } from './query.ts'
import { isBounded } from './range.ts'
import type { Source } from './sources.ts'
import { waysOf } from './traits.ts'
import { countLeaves, daysOf, type Tree, traitsOf } from './tree.ts'

/**
 * How a page of a list is found, if it is found at once.
 * - `empty`: nothing can match.
 * - `walk`: along the index of the sort, past at most `rows` files.
 * - `stream`: along a source that is in the order of the sort, past at most `rows` files.
 * - `drive`: by sorting all files of a source.
 * - `far`: not at once, since all these ways would take too long.
 */
export type Plan =
  | { way: 'empty' | 'far' }
  | { way: 'walk'; rows: number }
  | { way: 'stream'; source: Source; rows: number }
  | { way: 'drive'; source: Source }

interface Asked {
  list: FileList
  sources: Source[]
  total: number
  /** The share of files that match, by estimate. */
  share: number
  limit: number
  costs: Costs
}

/** With more leaves than this, a tree is not checked by a statement. */
export const LEAVES_TO_PROBE = 8
// A stretch may hold more or fewer matches than the overall share.
const SPREAD = 1.5
// Shares are guessed, and the alternatives take much longer than a walk that is given up.
const DOUBT = 4

/** Returns the plan of a page that costs least, by estimate. Plans differ in how they find files, never in which. */
export function choosePlan({ list, sources, total, share, limit, costs }: Asked): Plan {
  const { tree, pool, viewer, sort } = list
  if (sources.some(({ count }) => count === 0)) return { way: 'empty' }
  const leaves = tree === null ? 0 : countLeaves(tree)
  const isProbed = leaves <= LEAVES_TO_PROBE
  const asking =
    (isProbed ? weightOf(tree) * costs.leaf : costs.tree) +
    (viewer.is_admin ? 0 : costs.right) +
    (pool === null ? 0 : costs.pool) +
    (asksRow(list) ? costs.row : 0)
  if (asking === 0) return { way: 'walk', rows: Number.MAX_SAFE_INTEGER }
  const plans: { plan: Plan; cost: number }[] = []
  const consider = (cost: number, plan: Plan) => plans.push({ plan, cost })
  const meet = (part: number, row: number, most: number, planOf: (rows: number) => Plan) => {
    const bound = Math.floor(Math.min(most, costs.most / row))
    const rows = (limit * SPREAD) / part
    if (rows <= bound * DOUBT) consider(rows * row, planOf(bound))
  }
  const isOf = (count: number) => Math.min(1, count / Math.max(total, 1))
  const narrow = Math.min(share, ...sources.map(({ count }) => isOf(count)))
  meet(
    Math.min(1, narrow / shareWalked(list)),
    costs.walked + asking,
    costs.mostWalked,
    (rows) => ({ way: 'walk', rows }),
  )
  for (const source of sources) {
    if (source.count <= costs.mostSorted) {
      consider(source.count * (costs.sorted + asking), { way: 'drive', source })
    } else if (isProbed && sort === 'created' && source.isOrdered) {
      const part = Math.min(1, share / isOf(source.count))
      meet(part, costs.streamed + asking, costs.mostStreamed, (rows) => ({
        way: 'stream',
        source,
        rows,
      }))
    }
  }
  plans.sort((one, other) => one.cost - other.cost)
  return plans[0]?.plan ?? { way: 'far' }
}

// What a file costs to check against a tree, in conditions on a tag.
function weightOf(tree: Tree | null): number {
  if (tree === null) return 0
  const extra = traitsOf(tree)
    .flat()
    .map((trait) => waysOf(trait).weight - 1)
  return extra.reduce((sum, one) => sum + one, countLeaves(tree))
}

/** Returns a guess of the share of the sort's index that a walk can pass: a filter may ask for a part of the dates. */
export function shareWalked({ sort, tree }: Pick<FileList, 'sort' | 'tree'>): number {
  const isByDate = sort === 'timeline' || sort === 'content_datetime'
  return isByDate && tree && isBounded(daysOf(tree)) ? GUESS.inRange : 1
}

/**
 * Returns the share of files that match a tree, as if conditions were independent of each other; `shareOfTag` returns
 * that of a tag.
 */
export function estimateShare(tree: Tree, shareOfTag: (tag: number) => number): number {
  const all = (shares: number[]) => shares.reduce((product, one) => product * one, 1)
  const any = (shares: number[]) => 1 - all(shares.map((one) => 1 - one))
  switch (tree.kind) {
    case 'always':
      return 1
    case 'never':
      return 0
    case 'tags': {
      const shares = tree.tags.map(shareOfTag)
      const matching = tree.match === 'any' ? any(shares) : all(shares)
      return tree.negated ? 1 - matching : matching
    }
    case 'untagged':
      return tree.negated ? 1 - GUESS.untagged : GUESS.untagged
    case 'mime':
      return GUESS.mime
    case 'trait': {
      const { share } = waysOf(tree.trait)
      return tree.negated ? 1 - share : share
    }
    case 'and':
      return all(tree.items.map((item) => estimateShare(item, shareOfTag)))
    case 'or':
      return any(tree.items.map((item) => estimateShare(item, shareOfTag)))
  }
}
