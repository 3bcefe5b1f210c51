// Sets of the numbers from 0 up to, but not including, a size. Each number is alone in its set at first; then sets are
// joined pair by pair.
interface UnionFind {
  /** Joins the sets of two numbers. */
  join(a: number, b: number): void
  /** Returns the smallest number in the set of a number. */
  leaderOf(place: number): number
}

/** Returns the sets of `size` numbers (union by smaller leader, with path halving). */
export function createUnionFind(size: number): UnionFind {
  const leaders = new Int32Array(size)
  for (let place = 0; place < size; place++) leaders[place] = place
  const leaderOf = (place: number) => {
    let at = place
    while (leaders[at] !== at) {
      leaders[at] = leaders[leaders[at]!]!
      at = leaders[at]!
    }
    return at
  }
  return {
    leaderOf,
    join(a, b) {
      const [x, y] = [leaderOf(a), leaderOf(b)]
      leaders[Math.max(x, y)] = Math.min(x, y)
    },
  }
}
