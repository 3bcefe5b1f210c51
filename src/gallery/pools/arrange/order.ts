/** A place between files that stay: before one, or after one; null at the ends. */
export interface Gap {
  before: string | null
  after: string | null
}

/** Returns the gap at a place of an order, from 0 to its length, without the chosen files. */
export function gapAt(ids: readonly string[], chosen: ReadonlySet<string>, place: number): Gap {
  const stays = (id: string) => !chosen.has(id)
  return {
    before: ids.slice(place).find(stays) ?? null,
    after: ids.slice(0, place).findLast(stays) ?? null,
  }
}

/**
 * Returns the order with the chosen files in a gap, in their previous sequence. If the order has
 * changed since, the gap is before the file that follows it, or else after the one before it; null if
 * neither is there.
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

/** The number of unchosen files to move past, or the end of the order to move to. */
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
 * Returns the files named by the requests that produce an order: each request puts its files first, in
 * the given sequence, and leaves the others as they are behind them. One is enough unless more than
 * `most` files come before the last that moves; none if nothing does.
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
