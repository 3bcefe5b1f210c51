import type { Schemas } from '../../client/index.ts'
import { api, ask } from '../base/api.ts'

/** What was taken on this day in a year. */
export type Year = Schemas['ThisDay']['years'][number] & {
  /** How many years ago it was. */
  ago: number
}

const MINUTE = 60_000

/** Returns which day it is here, such as 2026-07-14. */
export function today(): string {
  const now = new Date()
  return new Date(+now - now.getTimezoneOffset() * MINUTE).toISOString().slice(0, 10)
}

/** Returns what was taken on this day in earlier years, the latest year first. Throws an ApiError. */
export async function readThisDay(signal?: AbortSignal): Promise<Year[]> {
  const day = today()
  const own = { params: { query: { day, pairs: '1' as const } }, ...(signal && { signal }) }
  const { years } = await ask(api.GET('/api/v1/files/this-day', own))
  return years.map((year) => ({ ...year, ago: Number(day.slice(0, 4)) - year.year }))
}
