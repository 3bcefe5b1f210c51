import { api, ask } from '../base/api.ts'
import { anywhere, dayAgo } from './day-ago.ts'

/** How many years are looked through. */
const YEARS = 25
/** How many files about a day are looked at. */
const MOST = 400

/** A picture of this day in another year. */
interface YearsAgo {
  id: string
  version: string
  years: number
}

/** Returns a picture of this day in the latest year that has one, or null. Throws an ApiError. */
export async function findYearsAgo(now: Date, signal: AbortSignal): Promise<YearsAgo | null> {
  for (let years = 1; years <= YEARS; years++) {
    const day = dayAgo(now, years)
    if (!day) continue
    const query = { ...anywhere(day), sort: 'content_datetime', limit: MOST } as const
    const { ids, t, v } = await ask(api.GET('/api/v1/files/cells', { params: { query }, signal }))
    const place = t.findIndex((time) => time >= day.first && time < day.end)
    if (place >= 0) return { id: ids[place]!, version: v[place]!, years }
  }
  return null
}
