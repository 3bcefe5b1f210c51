import { anywhere, dayAgo } from './day-ago.ts'

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
