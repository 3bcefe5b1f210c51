import type { Bucket } from '../engine.ts'

/** A month of the listing that has files. */
export interface Month {
  /** Such as 2018-07; or a year, for what is known to be of that year alone. */
  key: string
  /** The position of its first file. */
  first: number
  count: number
}

/** Returns the months of a timeline, with the parts of a large one combined. */
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

/** Returns the index of the month that contains a position; the last one for positions after all. */
export function monthAt(months: readonly Month[], position: number): number {
  return Math.max(
    0,
    months.findLastIndex(({ first }) => first <= position),
  )
}

/** `at` is a share of the scrubber's height, from 0 to 1. */
interface Mark {
  at: number
}

/** The least pixels between two labels. */
const BETWEEN_YEARS = 22

/** Returns the years of a scrubber, each where it begins, without those too close together. */
export function yearMarks(
  months: readonly Month[],
  total: number,
  height: number,
): (Mark & { year: string })[] {
  const marks: (Mark & { year: string })[] = []
  let year = ''
  for (const { key, first } of months) {
    const own = key.slice(0, 4)
    if (own === year) continue
    year = own
    const at = first / total
    const last = marks.at(-1)
    if (!last || (at - last.at) * height >= BETWEEN_YEARS) marks.push({ at, year })
  }
  return marks
}

/** The least pixels between two bars of the histogram. */
const BETWEEN_BARS = 4

/**
 * Returns the histogram: a bar for each month, whose length is 1 for the fullest; months that are too
 * close share one.
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
  // The root prevents one large import from flattening all others.
  return found.map(({ at, count }) => ({ at, length: Math.sqrt(count / most) }))
}

/**
 * Returns the position for a share of the scrubber's height. Where a pixel covers much of a month it is
 * the month's first file, which users look for, and which costs one request.
 */
export function positionOf(
  months: readonly Month[],
  total: number,
  { share, height }: { share: number; height: number },
): number {
  // The last pixels mean the very end, from which the month's first file may be screens away.
  if (share * height >= height - END) return total - 1
  const position = Math.max(0, Math.min(total - 1, Math.round(share * total)))
  const month = months[monthAt(months, position)]
  if (!month) return position
  const pixels = (month.count / total) * height
  return pixels < FINE ? month.first : position
}

/** In pixels: a target large enough to hit. */
const END = 2
/** A month of fewer pixels is scrolled to as a whole. */
const FINE = 24
