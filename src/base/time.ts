import { setTimeout } from 'node:timers/promises'

/** Returns the current time, in milliseconds since 1970-01-01 UTC; tests pass in their own. */
export type Clock = () => number

export const DAY = 86_400_000
/** Resolves after `ms` milliseconds, and rejects when the signal is aborted first; tests pass in their own. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

/** Resolves like the promise, and rejects when the signal is aborted first. */
export function beforeAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    const settle = () => signal.removeEventListener('abort', abort)
    promise.finally(settle).then(resolve, reject)
    if (signal.aborted) abort()
  })
}

/** Resolves like the promise, or with null when it takes longer than `ms` milliseconds. */
export async function within<T>(
  promise: Promise<T>,
  ms: number,
  wait: Wait = (ms, signal) => setTimeout(ms, undefined, { signal }),
): Promise<T | null> {
  const settled = new AbortController()
  const over = wait(ms, settled.signal).then(() => null)
  // The wait is aborted when the promise settles first.
  over.catch(() => {})
  try {
    return await Promise.race([promise, over])
  } finally {
    settled.abort()
  }
}

/** Returns whether less than `ms` has passed since a time, which may be in the future if the clock was set. */
export function isWithin(ms: number, since: number | null, now: number): boolean {
  return since !== null && now >= since && now < since + ms
}

/** The first and the last millisecond that RFC 3339 can express, of the years 0001 and 9999. */
export const FIRST_TIME = Date.parse('0001-01-01T00:00:00.000Z')
export const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')

/** Returns whether a time, in milliseconds since 1970-01-01 UTC, is in the years 0001 to 9999. */
export function isPlausibleTime(ms: number): boolean {
  return ms >= FIRST_TIME && ms <= LAST_TIME
}

/** Returns a point in time as in answers: ISO 8601 UTC with milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

export const MINUTE = 60_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns how many minutes an IANA time zone is ahead of UTC at a moment. */
export function zoneOffset(timeZone: string, ms: number): number {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    formats.set(timeZone, format)
  }
  const [, sign, hours, minutes, seconds = 0] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(ms)) ?? []
  if (sign === undefined) return 0
  // Before there were zones, places had clocks of their own, to the second.
  const size = Math.round(Number(hours) * 60 + Number(minutes) + Number(seconds) / 60)
  return sign === '-' ? 0 - size : size
}

/**
 * Returns the moment at which a clock in a time zone showed `clock`, given in milliseconds as if it were UTC. Of two
 * such moments it is the first; where the clock skipped it, the one that is as long after the skip.
 */
export function momentOf(timeZone: string, clock: number): number {
  const [before, after] = [clock - DAY, clock + DAY].map((ms) => zoneOffset(timeZone, ms) * MINUTE)
  const moments = [clock - before!, clock - after!]
  const shown = moments.find((ms) => ms + zoneOffset(timeZone, ms) * MINUTE === clock)
  return shown ?? moments[0]!
}
