/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** Returns a number from 0 on and below `limit`. */
  below(limit: number): number
  pick<T>(list: readonly T[]): T
  /** Returns at most so many members of a list, in an order of their own. */
  some<T>(list: readonly T[], most: number): T[]
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  // Mulberry32: 32 bits of state are enough for choices.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    pick: (list) => list[below(list.length)]!,
    some(list, most) {
      const rest = [...list]
      for (let n = rest.length - 1; n > 0; n--) {
        const other = below(n + 1)
        const one = rest[n]!
        rest[n] = rest[other]!
        rest[other] = one
      }
      return rest.slice(0, most)
    },
  }
}
