const HOUR = 3_600_000
/** How far local clocks are ahead of UTC at most, and behind it, in milliseconds. */
const AHEAD = 14 * HOUR
const BEHIND = 12 * HOUR
const DAY = 24 * HOUR

/** A day, in seconds of the clock where a picture was taken, as `t` of a cell. */
interface Day {
  first: number
  /** The first second that no longer belongs to it. */
  end: number
}

/** Returns today's day so many years ago; null when that year hasn't got it. */
export function dayAgo(now: Date, years: number): Day | null {
  const first = new Date(0)
  first.setUTCFullYear(now.getFullYear() - years, now.getMonth(), now.getDate())
  if (first.getUTCMonth() !== now.getMonth()) return null
  return { first: +first / 1000, end: (+first + DAY) / 1000 }
}

/**
 * Returns the stretch of time in which it was that day anywhere, as from and to of a listing. Those
 * are instants, and no bounds of local time are to be had, so some of what it holds was taken on the
 * day before or after.
 */
export function anywhere({ first, end }: Day): { from: string; to: string } {
  return {
    from: new Date(first * 1000 - AHEAD).toISOString(),
    to: new Date(end * 1000 + BEHIND).toISOString(),
  }
}
