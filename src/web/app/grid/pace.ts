/** Pixels in a millisecond above which nothing is loaded: nobody sees what passes. */
const FAST = 6
/** Milliseconds over which the pace is taken; a longer pause begins anew. */
const MEMORY = 100

/** How fast the view moves. */
interface Pace {
  /** Notes that the view was at `y` at `now`, in milliseconds. */
  moved(y: number, now: number): void
  isFast(now: number): boolean
}

/** Milliseconds without a move after which the view is calm. */
export const CALM = 90

/** Returns a pace that has seen no move yet. */
export function createPace(): Pace {
  let seen: { y: number; at: number }[] = []
  return {
    moved(y, now) {
      seen = seen.filter(({ at }) => now - at <= MEMORY)
      seen.push({ y, at: now })
    },
    isFast(now) {
      const last = seen.at(-1)
      const first = seen[0]
      if (!first || !last || now - last.at >= CALM || last.at === first.at) return false
      return Math.abs(last.y - first.y) / (last.at - first.at) > FAST
    },
  }
}
