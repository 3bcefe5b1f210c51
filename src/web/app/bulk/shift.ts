/** How far dates are moved. */
interface Shift {
  days: number
  hours: number
  minutes: number
  isEarlier: boolean
}

/** Returns a shift in minutes, negative for an earlier time; 0 for one that isn't made of numbers. */
export function minutesOf({ days, hours, minutes, isEarlier }: Shift): number {
  const sum = (days * 24 + hours) * 60 + minutes
  return Number.isFinite(sum) ? Math.round(isEarlier ? -sum : sum) || 0 : 0
}

/**
 * Returns what a field of date and time says as an instant, or null when it says none. It is that
 * of the clock where the picture was taken, which is told as if it were UTC.
 */
export function instantOf(field: string): string | null {
  const time = Date.parse(`${field}Z`)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
