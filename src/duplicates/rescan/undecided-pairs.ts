/** Pairs of groups between which the finer hash alone doesn't decide. */
export interface UndecidedPairs {
  add(a: number, b: number, distance: number): void
  /**
   * Returns the pairs to look at once more, as the two groups of one after the other: first the nearest of each group,
   * then the next of each, each time by their distance; and how many there are beyond the limit.
   */
  toLookAt(): { pairs: Int32Array; leftOut: number }
}

// A group with more of them is in a crowd of look-alikes, like letters with one head.
const OF_GROUP = 16
// Puts a group and a distance into one number, the distance first.
const GROUPS = 2 ** 32

/** Returns an empty list of undecided pairs, of which at most `limit` are looked at, since each look takes time. */
export function createUndecidedPairs(limit: number): UndecidedPairs {
  const nearest = new Map<number, number[]>()
  return {
    add(a, b, distance) {
      keep(nearest, a, distance * GROUPS + b)
      keep(nearest, b, distance * GROUPS + a)
    },
    toLookAt() {
      const pairs: number[] = []
      let leftOut = 0
      for (let round = 0; round < OF_GROUP; round++) {
        const found = pairsOf(nearest, round)
        const room = Math.min(found.length, limit - pairs.length / 2)
        leftOut += found.length - room
        if (room === 0) continue
        for (const pair of found.sort().subarray(0, room)) {
          const group = pair % GROUPS
          const other = nearest.get(group)![round]! % GROUPS
          pairs.push(Math.min(group, other), Math.max(group, other))
        }
      }
      return { pairs: Int32Array.from(pairs), leftOut }
    },
  }
}

// Returns the next pairs of a round by their distances, each with one of its groups: each pair is in the first round
// in which one of its groups has it.
function pairsOf(nearest: Map<number, number[]>, round: number): Float64Array {
  const found: number[] = []
  for (const [group, others] of nearest) {
    const next = others[round]
    if (next === undefined) continue
    const other = next % GROUPS
    const pair = next - other + group
    const known = nearest.get(other)!.indexOf(pair)
    if (known < 0 || known > round || (known === round && group < other)) found.push(pair)
  }
  return Float64Array.from(found)
}

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
