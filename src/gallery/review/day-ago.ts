const HOUR = 3_600_000
/** The most that local clocks are ahead of UTC, and behind it, in milliseconds. */
const AHEAD = 14 * HOUR
const BEHIND = 12 * HOUR
const DAY = 24 * HOUR

/** A day, in seconds of the clock where a picture was taken, as `t` of a cell. */
interface Day {
  first: number
  /** Exclusive. */
  end: number
}

/** Returns this day `years` years ago; null if that year doesn't have it. */
export function dayAgo(now: Date, years: number): Day | null {
  const first = new Date(0)
  first.setUTCFullYear(now.getFullYear() - years, now.getMonth(), now.getDate())
  if (first.getUTCMonth() !== now.getMonth()) return null
  return { first: +first / 1000, end: (+first + DAY) / 1000 }
}

/**
 * Returns the time in which it was that day anywhere on Earth, as from and to of a listing. Those are
 * instants, and the API has no bounds of local time, so some of the files were taken on the day before
 * or after.
 */
export function anywhere({ first, end }: Day): { from: string; to: string } {
  return {
    from: new Date(first * 1000 - AHEAD).toISOString(),
    to: new Date(end * 1000 + BEHIND).toISOString(),
  }
}
