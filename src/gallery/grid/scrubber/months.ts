import type { Bucket } from '../engine.ts'

/** A month of the listing that has files. */
export interface Month {
  /** As 2018-07. */
  key: string
  /** The position of its first file. */
  first: number
  count: number
}

/** Returns the months of a timeline, the parts of a large one together. */
export function monthsOf(buckets: readonly Bucket[]): Month[] {
  const months: Month[] = []
  let first = 0
  for (const { key, count } of buckets) {
    const last = months.at(-1)
    if (last?.key === key) last.count += count
    else if (count > 0) months.push({ key, first, count })
    first += count
  }
  return months
}

/** Returns the index of the month that holds a position, the last one for positions behind all. */
export function monthAt(months: readonly Month[], position: number): number {
  return Math.max(
    0,
    months.findLastIndex(({ first }) => first <= position),
  )
}

/** Something at a share of the scrubber's height, from 0 to 1. */
interface Mark {
  at: number
}

/** Pixels between two years that are told. */
const BETWEEN_YEARS = 22

/** Returns the years of a scrubber of a height, each where it begins, without those too near. */
export function yearMarks(
  months: readonly Month[],
  total: number,
  height: number,
): (Mark & { year: string })[] {
  const marks: (Mark & { year: string })[] = []
  let year = ''
  for (const { key, first } of months) {
    const own = key.slice(0, -3)
    if (own === year) continue
    year = own
    const at = first / total
    const last = marks.at(-1)
    if (!last || (at - last.at) * height >= BETWEEN_YEARS) marks.push({ at, year })
  }
  return marks
}

/** Pixels between two bars of the histogram. */
const BETWEEN_BARS = 4

/**
 * Returns the histogram: a bar for each month, whose length is 1 for the fullest; months that are too
 * near share one.
 */
export function bars(
  months: readonly Month[],
  total: number,
  height: number,
): (Mark & { length: number })[] {
  const found: (Mark & { count: number })[] = []
  for (const { first, count } of months) {
    const at = first / total
    const last = found.at(-1)
    if (last && (at - last.at) * height < BETWEEN_BARS) last.count += count
    else found.push({ at, count })
  }
  const most = Math.max(...found.map(({ count }) => count))
  // By the root, so that one large import doesn't flatten all others.
  return found.map(({ at, count }) => ({ at, length: Math.sqrt(count / most) }))
}

/**
 * Returns the position that a share of the scrubber's height stands for. Where a pixel covers much
 * of a month it is the month's first file, which people look for, and which costs one request.
 */
export function positionOf(
  months: readonly Month[],
  total: number,
  { share, height }: { share: number; height: number },
): number {
  // The last pixels are the end of all, from which the month's first file may be screens away.
  if (share * height >= height - END) return total - 1
  const position = Math.max(0, Math.min(total - 1, Math.round(share * total)))
  const month = months[monthAt(months, position)]
  if (!month) return position
  const pixels = (month.count / total) * height
  return pixels < FINE ? month.first : position
}

/** So many pixels, of which people hit one. */
const END = 2
/** A month of fewer pixels is gone to as a whole. */
const FINE = 24
