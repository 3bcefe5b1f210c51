/** How far dates are moved. */
interface Shift {
  days: number
  hours: number
  minutes: number
  isEarlier: boolean
}

/** Minutes of ten thousand years: no date is moved as far. */
const MOST = 10_000 * 366 * 24 * 60

/** Returns a shift in minutes, negative for an earlier time; 0 for one that can't be. */
export function minutesOf({ days, hours, minutes, isEarlier }: Shift): number {
  const sum = (days * 24 + hours) * 60 + minutes
  return sum <= MOST ? Math.round(isEarlier ? -sum : sum) || 0 : 0
}

/**
 * Returns what a field of date and time says as an instant, or null when it says none. It is that
 * of a clock in UTC.
 */
export function instantOf(field: string): string | null {
  const time = Date.parse(`${field}Z`)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
