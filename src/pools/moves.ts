import type { Ranked } from './ranks.ts'

/** A file of a pool that moves, with its positions. */
export interface Move {
  file: number
  from: number
  to: number
}

/**
 * Returns the moves, by their new positions, after which the named files come first, in the given order, and the hidden
 * ones keep their positions; all others stay in their order. `hidden` has the files before the last of the named.
 */
export function movesFor(named: Ranked[], hidden: Ranked[]): Move[] {
  const hiddenAt = new Set(hidden.map(({ position }) => position))
  let free = 0
  const moves = named.map(({ file, position }) => {
    while (hiddenAt.has(free)) free++
    return { file, from: position, to: free++ }
  })
  for (const { file, position } of hidden) moves.push({ file, from: position, to: position })
  moves.sort((a, b) => a.to - b.to)
  const before = withSlots(moves.map((move) => move.from).sort((a, b) => a - b))
  const after = withSlots(moves.map((move) => move.to))
  // A file with as many of the others before it as it had may stay.
  const mayStay = moves.filter((move) => before.slotOf(move.from) === after.slotOf(move.to))
  const stay = new Set(longestAscent(mayStay))
  return moves.filter((move) => !stay.has(move))
}

/** Returns how many files change their position by the moves, including those that others pass. */
export function movedBy(moves: Move[]): number {
  const from = moves.map((move) => move.from).sort((a, b) => a - b)
  const to = moves.map((move) => move.to).sort((a, b) => a - b)
  let count = moves.filter((move) => move.from !== move.to).length
  let end = Number.NEGATIVE_INFINITY
  // Another file is passed when the number of files that leave from before it differs from the number that come.
  for (const [index, position] of from.entries()) {
    const [left, taken] = [position - index, to[index]! - index]
    count += Math.max(0, Math.max(left, taken) - Math.max(end, Math.min(left, taken)))
    end = Math.max(end, left, taken)
  }
  return count
}

/**
 * Takes ascending positions; returns which positions are among them, and how many other files are before a position.
 */
export function withSlots(positions: number[]) {
  const known = new Set(positions)
  return {
    has: (position: number) => known.has(position),
    slotOf(position: number): number {
      let [low, high] = [0, positions.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (positions[middle]! < position) low = middle + 1
        else high = middle
      }
      return position - low
    },
  }
}

function longestAscent(moves: Move[]): Move[] {
  // For each length, the chain that ends lowest.
  const ends: Chain[] = []
  for (const move of moves) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]!.move.from < move.from) low = middle + 1
      else high = middle
    }
    ends[low] = { move, before: ends[low - 1] }
  }
  const found: Move[] = []
  for (let chain = ends.at(-1); chain; chain = chain.before) found.push(chain.move)
  return found.reverse()
}

interface Chain {
  move: Move
  before: Chain | undefined
}
