import { countBits } from '../../base/bits.ts'
import { createUnionFind } from '../union-find.ts'
import { FAR, type FinerHashes, finerDistance, keyOf, NEAR, TELLING } from './finer-hashes.ts'
import type { Groups, HashedFiles } from './found.ts'
import { createUndecidedPairs, type UndecidedPairs } from './undecided-pairs.ts'

// Pairs of groups that look alike, as far as their hashes show.
interface GroupPairs {
  /** Compares the groups of one first hash with each other. */
  within(place: number): void
  /** Compares the groups of two first hashes that are near each other. */
  between(a: number, b: number): void
  /** Adds the groups that files of one content are in, where their first hashes are near. */
  equalContents(files: Int32Array): void
  /** Adds a pair, which may be in the list already. */
  add(a: number, b: number): void
  /** Returns the pairs found so far: the smaller group of each, then the larger one. */
  pairs(): Int32Array[]
  /** Returns how many pairs of first hashes have too many groups, so that only equal ones were found. */
  leftOut(): number
  /** What the hashes don't decide. */
  undecided: UndecidedPairs
}

interface Bounds {
  /** How many bits of two first hashes may differ. */
  threshold: number
  /** When more pairs are found, only those count that join what no other pair has joined. */
  pairs: number
  /** How many groups are compared where two first hashes have many. */
  comparisons: number
  /** How many pairs are looked at once more. */
  looks: number
}

const FEW = 16
const CHUNK = 2 ** 16

/** Compares groups by their finer hashes; groups without one look like any other that isn't plain. */
export function createGroupPairs(
  hashes: HashedFiles,
  finer: FinerHashes,
  groups: Groups,
  bounds: Bounds,
): GroupPairs {
  const { starts, compared } = groups
  const undecided = createUndecidedPairs(bounds.looks)
  const found = createPairList(groups.places.length, bounds.pairs)
  let { comparisons } = bounds
  let leftOut = 0
  const add = (a: number, b: number) => found.add(Math.min(a, b), Math.max(a, b))
  const compare = (a: number, b: number) => {
    const [x, y] = [groups.files[a]!, groups.files[b]!]
    // Without a finer hash, the first hash alone decides.
    if (finer.states[x] !== TELLING || finer.states[y] !== TELLING) return add(a, b)
    const distance = finerDistance(finer.words, x, y, FAR)
    if (distance <= NEAR) add(a, b)
    else if (distance <= FAR) undecided.add(a, b, distance)
  }
  const groupsAt = (place: number) =>
    Array.from({ length: compared[place]! }, (_, index) => starts[place]! + index)
  const addEqual = (placeA: number, placeB: number) => {
    const known = new Map(
      groupsAt(placeA).map((group) => [keyOf(finer, groups.files[group]!), group]),
    )
    for (const group of groupsAt(placeB)) {
      const equal = known.get(keyOf(finer, groups.files[group]!))
      if (equal !== undefined) add(equal, group)
    }
  }
  for (const [a, b] of groups.near) add(a, b)
  return {
    undecided,
    add,
    pairs: found.all,
    leftOut: () => leftOut,
    within(place) {
      const end = starts[place]! + compared[place]!
      for (let a = starts[place]!; a < end; a++) for (let b = a + 1; b < end; b++) compare(a, b)
    },
    between(placeA, placeB) {
      // Nearly all have a single group.
      if (compared[placeA] === 1 && compared[placeB] === 1) {
        compare(starts[placeA]!, starts[placeB]!)
        return
      }
      const count = compared[placeA]! * compared[placeB]!
      if (count > FEW) comparisons -= count
      if (count > FEW && comparisons < 0) {
        leftOut++
        addEqual(placeA, placeB)
        return
      }
      const endB = starts[placeB]! + compared[placeB]!
      for (let a = starts[placeA]!; a < starts[placeA]! + compared[placeA]!; a++) {
        for (let b = starts[placeB]!; b < endB; b++) compare(a, b)
      }
    },
    equalContents(files) {
      const { hi, lo } = hashes
      for (const same of groupsOfContents(finer, groups, files)) {
        for (const [index, a] of same.entries()) {
          for (const b of same.slice(index + 1)) {
            const [p, q] = [groups.places[a]!, groups.places[b]!]
            if (countBits(hi[p]! ^ hi[q]!, lo[p]! ^ lo[q]!) <= bounds.threshold) add(a, b)
          }
        }
      }
    },
  }
}

// Contents in a single group are left out: one content gets few first hashes.
function groupsOfContents(
  { twins }: FinerHashes,
  { of }: Groups,
  files: Int32Array,
): Iterable<number[]> {
  const byContent = new Map<number, Set<number>>()
  for (const file of files) {
    const twin = twins[file]!
    if (twin === file || of[file] === of[twin] || of[file]! < 0 || of[twin]! < 0) continue
    const known = byContent.get(twin)
    if (known) known.add(of[file]!)
    else byContent.set(twin, new Set([of[twin]!, of[file]!]))
  }
  return [...byContent.values()].map((found) => [...found])
}

interface PairList {
  add(a: number, b: number): void
  all(): Int32Array[]
}

function createPairList(groups: number, limit: number): PairList {
  const chunks: Int32Array[] = []
  let chunk = new Int32Array(CHUNK)
  let length = 0
  let count = 0
  let joined: ReturnType<typeof createUnionFind> | null = null
  const all = () => [...chunks, chunk.subarray(0, length)]
  const joinAll = () => {
    const sets = createUnionFind(groups)
    for (const pairs of all()) {
      for (let at = 0; at < pairs.length; at += 2) sets.join(pairs[at]!, pairs[at + 1]!)
    }
    return sets
  }
  return {
    all,
    add(a, b) {
      if (count >= limit) {
        joined ??= joinAll()
        if (joined.leaderOf(a) === joined.leaderOf(b)) return
        joined.join(a, b)
      }
      if (length === CHUNK) {
        chunks.push(chunk)
        chunk = new Int32Array(CHUNK)
        length = 0
      }
      chunk[length++] = a
      chunk[length++] = b
      count++
    },
  }
}
