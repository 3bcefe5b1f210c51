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

const YEARS = 25

interface YearsAgo {
  id: string
  version: string
  years: number
}

/** Files with the seconds of their clocks and their versions. */
interface Page {
  ids: string[]
  t: number[]
  v: string[]
  next_cursor: string | null
}

/**
 * Returns a picture of this day in the latest year that has one, or null. `read` returns the files
 * between two instants, from a cursor on. Throws what `read` throws.
 */
export async function findYearsAgo(
  now: Date,
  read: (query: { from: string; to: string; cursor?: string }) => Promise<Page>,
): Promise<YearsAgo | null> {
  for (let years = 1; years <= YEARS; years++) {
    const day = dayAgo(now, years)
    if (!day) continue
    let cursor: string | null = null
    do {
      const page: Page = await read({ ...anywhere(day), ...(cursor !== null && { cursor }) })
      const place = page.t.findIndex((time) => time >= day.first && time < day.end)
      if (place >= 0) return { id: page.ids[place]!, version: page.v[place]!, years }
      // All of these may be of the day before or after.
      cursor = page.next_cursor
    } while (cursor !== null)
  }
  return null
}
