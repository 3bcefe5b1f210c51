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

/** Files by the times of their local clocks, in seconds. */
interface Clocks {
  ids: string[]
  t: number[]
  next_cursor: string | null
}

const HALF_DAY = 12 * 60 * 60_000

/**
 * Returns by how many minutes files that were given one instant, or the day of one that is a noon, must be shifted so
 * that each one's local clock shows that instant's UTC; files that show it already are left out. `read` returns the
 * files between two instants, from a cursor on. Throws what `read` throws.
 */
export async function zonesOf(
  ids: readonly string[],
  { instant, precision }: { instant: string; precision: 'day' | null },
  read: (query: { from: string; to: string; cursor?: string }) => Promise<Clocks>,
): Promise<Map<number, string[]>> {
  const wanted = new Set(ids)
  const zones = new Map<number, string[]>()
  const start = Date.parse(instant)
  // Where the instant is on the day before or after, the file has the noon of that day.
  const around = precision === 'day' ? HALF_DAY : 0
  const isoOf = (time: number) => new Date(time).toISOString()
  const range = { from: isoOf(start - around), to: isoOf(start + around + 1) }
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
