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
