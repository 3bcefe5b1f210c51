import { api, ask } from '../base/api.ts'

/** How many years are looked through. */
const YEARS = 25

/** A picture of this day in another year. */
interface YearsAgo {
  id: string
  version: string
  years: number
}

/** Returns the day so many years before a time, on the local clock, as from and to of a listing. */
function dayBefore(now: Date, years: number): { from: string; to: string } {
  const start = new Date(now.getFullYear() - years, now.getMonth(), now.getDate())
  const end = new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1)
  return { from: start.toISOString(), to: end.toISOString() }
}

/** Returns a picture of this day in the latest year that has one, or null. Throws an ApiError. */
export async function findYearsAgo(now: Date, signal: AbortSignal): Promise<YearsAgo | null> {
  for (let years = 1; years <= YEARS; years++) {
    const query = { ...dayBefore(now, years), sort: 'content_datetime', limit: 1 } as const
    const { ids, v } = await ask(api.GET('/api/v1/files/cells', { params: { query }, signal }))
    if (ids.length > 0) return { id: ids[0]!, version: v[0]!, years }
  }
  return null
}
