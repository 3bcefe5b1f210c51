/** By how much dates are shifted. */
export interface Shift {
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

/** Files by the times of their local clocks, in seconds. */
interface Clocks {
  ids: string[]
  t: number[]
  next_cursor: string | null
}

/**
 * Returns by how many minutes files with the same instant must be shifted so that each one's local
 * clock shows that instant's UTC; files that show it already are left out. `read` returns the files
 * between two instants, from a cursor on. Throws what `read` throws.
 */
export async function zonesOf(
  ids: readonly string[],
  instant: string,
  read: (query: { from: string; to: string; cursor?: string }) => Promise<Clocks>,
): Promise<Map<number, string[]>> {
  const wanted = new Set(ids)
  const zones = new Map<number, string[]>()
  const start = Date.parse(instant)
  const range = { from: instant, to: new Date(start + 1).toISOString() }
  let cursor: string | null = null
  do {
    const page: Clocks = await read({ ...range, ...(cursor !== null && { cursor }) })
    page.ids.forEach((id, index) => {
      const minutes = Math.round((start / 1000 - page.t[index]!) / 60)
      if (minutes === 0 || !wanted.has(id)) return
      const zone = zones.get(minutes)
      if (zone) zone.push(id)
      else zones.set(minutes, [id])
    })
    cursor = page.next_cursor
  } while (cursor !== null)
  return zones
}
