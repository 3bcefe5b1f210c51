/** Returns the current time, in milliseconds since 1970-01-01 UTC; tests pass in their own. */
export type Clock = () => number

/** Milliseconds of a day in UTC. */
export const DAY = 86_400_000
/**
 * Resolves after `ms` milliseconds, and rejects when the signal is aborted before; tests pass in
 * their own.
 */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

/** The first and the last millisecond that RFC 3339 can express, of the years 0001 and 9999. */
export const FIRST_TIME = Date.parse('0001-01-01T00:00:00.000Z')
export const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')

/** Returns whether a time, in milliseconds since 1970-01-01 UTC, is in the years 0001 to 9999. */
export function isPlausibleTime(ms: number): boolean {
  return ms >= FIRST_TIME && ms <= LAST_TIME
}

/** Returns a point in time as answers show it: ISO 8601 UTC with milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
