/** A place between files that stay: in front of one, or behind one; null at the ends. */
export interface Gap {
  before: string | null
  after: string | null
}

/** Returns the gap at a place of an order, from 0 to its length, once the chosen files are taken out. */
export function gapAt(ids: readonly string[], chosen: ReadonlySet<string>, place: number): Gap {
  const stays = (id: string) => !chosen.has(id)
  return {
    before: ids.slice(place).find(stays) ?? null,
    after: ids.slice(0, place).findLast(stays) ?? null,
  }
}

/**
 * Returns the order with the chosen files in a gap, one behind the other as they were. Of an order
 * that has changed since, the gap is where the file that follows it is now, or else the one before
 * it; null when neither is there.
 */
export function arranged(
  ids: readonly string[],
  chosen: ReadonlySet<string>,
  { before, after }: Gap,
): string[] | null {
  const rest = ids.filter((id) => !chosen.has(id))
  const moved = ids.filter((id) => chosen.has(id))
  const next = before === null ? -1 : rest.indexOf(before)
  const previous = after === null ? -1 : rest.indexOf(after)
  const isNowhere = next === -1 && previous === -1 && (before !== null || after !== null)
  if (isNowhere) return null
  const at = next === -1 ? previous + 1 : next
  return [...rest.slice(0, at), ...moved, ...rest.slice(at)]
}

/** By how many files that stay the chosen ones are moved on, or by which end of the order. */
export type Step = number | 'start' | 'end'

/** Returns the place to which a step moves the chosen files, for `gapAt`. */
export function placeOfStep(
  ids: readonly string[],
  chosen: ReadonlySet<string>,
  step: Step,
): number {
  if (step === 'start') return 0
  if (step === 'end') return ids.length
  const first = ids.findIndex((id) => chosen.has(id))
  const last = ids.findLastIndex((id) => chosen.has(id))
  let place = step < 0 ? first : last + 1
  for (let left = Math.abs(step); left > 0 && place >= 0 && place <= ids.length; ) {
    place += Math.sign(step)
    const passed = ids[step < 0 ? place : place - 1]
    if (passed !== undefined && !chosen.has(passed)) left--
  }
  return Math.max(0, Math.min(ids.length, place))
}

/**
 * Returns what the requests that bring about an order name, one after the other: each puts what it
 * names in front, in its order, and leaves the others behind it as they are. One is enough unless
 * more than `most` files stand before the last that moves; none when nothing does.
 */
export function requestsFor(
  before: readonly string[],
  after: readonly string[],
  most: number,
): string[][] {
  const end = after.findLastIndex((id, place) => before[place] !== id) + 1
  const requests: string[][] = []
  for (let to = end; to > 0; to -= most) requests.push(after.slice(Math.max(0, to - most), to))
  return requests
}
