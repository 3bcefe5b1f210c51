/** Pairs of groups between which the finer hash alone doesn't decide. */
export interface Doubts {
  add(a: number, b: number, distance: number): void
  /**
   * Returns the pairs to look at once more, as the two groups of one after the other: first the nearest
   * of each group, then the next of each; and how many there are beyond the limit.
   */
  toSettle(): { pairs: Int32Array; leftOut: number }
}

/** More of a group are a crowd of look-alikes, like letters with one head. */
const OF_GROUP = 16
/** A group and a distance in one number, the distance first. */
const GROUPS = 2 ** 32

/** Returns no doubts; no more than `limit` of them are to be settled, since a look takes milliseconds. */
export function createDoubts(limit: number): Doubts {
  const nearest = new Map<number, number[]>()
  return {
    add(a, b, distance) {
      keep(nearest, a, distance * GROUPS + b)
      keep(nearest, b, distance * GROUPS + a)
    },
    toSettle() {
      const chosen = new Set<string>()
      const pairs: number[] = []
      let leftOut = 0
      for (let round = 0; round < OF_GROUP; round++) {
        for (const [group, others] of nearest) {
          const next = others[round]
          if (next === undefined) continue
          const other = next % GROUPS
          const pair = `${Math.min(group, other)} ${Math.max(group, other)}`
          if (chosen.has(pair)) continue
          if (chosen.size === limit) leftOut++
          else {
            chosen.add(pair)
            pairs.push(Math.min(group, other), Math.max(group, other))
          }
        }
      }
      return { pairs: Int32Array.from(pairs), leftOut }
    },
  }
}

/** Keeps the nearest of a group, in ascending order. */
function keep(nearest: Map<number, number[]>, group: number, other: number): void {
  const known = nearest.get(group)
  if (!known) {
    nearest.set(group, [other])
    return
  }
  if (known.length === OF_GROUP && other >= known[OF_GROUP - 1]!) return
  if (known.length === OF_GROUP) known.pop()
  let place = known.length
  while (place > 0 && known[place - 1]! > other) place--
  known.splice(place, 0, other)
}
