interface Shift {
  days: number
  hours: number
  minutes: number
  isEarlier: boolean
}

/** Ten thousand years in minutes: no date is shifted as far. */
const MOST = 10_000 * 366 * 24 * 60

/** Returns a shift in minutes, negative for an earlier time; 0 for an invalid one. */
export function minutesOf({ days, hours, minutes, isEarlier }: Shift): number {
  const sum = (days * 24 + hours) * 60 + minutes
  return sum <= MOST ? Math.round(isEarlier ? -sum : sum) || 0 : 0
}

/** Parses the value of a date and time field as UTC; null if it is empty or invalid. */
export function instantOf(field: string): string | null {
  const time = Date.parse(`${field}Z`)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
