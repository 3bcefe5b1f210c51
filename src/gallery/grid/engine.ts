import { dayOf, monthKey } from './days.ts'

/** A stretch of a listing whose beginning the server names: a month, or a part of a large one. */
export interface Bucket {
  /** The month, such as 2018-07; or a year, for what is known to be of that year alone. */
  key: string
  count: number
  /** The sum of the aspect ratios of its files. */
  ratio: number
  cursor: string | null
}

/**
 * Up to 400 consecutive files, whatever their dates, which are requested, laid out and dropped
 * together.
 */
export interface Span {
  /** The position of its first file in the listing. */
  first: number
  count: number
  /** The sum of the aspect ratios and the number of days; estimates until the files are there. */
  ratio: number
  days: number
  /** The index of the first span of the same run. */
  run: number
  /** Where it begins; null if only the beginning of its run is known. */
  cursor: string | null
  /** Whether the next files may belong to the day of its last file. */
  goesOn: boolean
}

export interface Look {
  width: number
  rowHeight: number
  gap: number
  /** The height of a day's heading, in pixels. */
  heading: number
}

export const BLOCK = 400
/** The greatest height of an element: browsers stop at 2^24 device pixels or below. */
export const HIGHEST = 4_000_000

const DAYS_OF_A_MONTH = 31
/** The typical number of files of a day that has any. */
const FILES_OF_A_DAY = 12

/**
 * Returns the spans of a listing. Small neighbouring buckets share one; a large bucket is cut into a
 * run of spans, of which only the first has a cursor.
 */
export function planSpans(buckets: readonly Bucket[]): Span[] {
  const spans: Span[] = []
  let first = 0
  let last = null as { key: string; span: Span; isWhole: boolean } | null
  const add = (span: Omit<Span, 'first' | 'goesOn'>, goesOn: boolean) => {
    const added = { ...span, first, goesOn }
    spans.push(added)
    first += span.count
    return added
  }
  for (const { key, count, ratio, cursor } of buckets) {
    if (count === 0) continue
    if (last?.key === key) last.span.goesOn = true
    const days = Math.min(DAYS_OF_A_MONTH, Math.ceil(count / FILES_OF_A_DAY))
    if (last?.isWhole && last.span.count + count <= BLOCK) {
      last.span.count += count
      last.span.ratio += ratio
      last.span.days += days
      last.span.goesOn = false
      last.key = key
      first += count
      continue
    }
    const run = spans.length
    for (let from = 0; from < count; from += BLOCK) {
      const files = Math.min(BLOCK, count - from)
      const share = files / count
      const span = add(
        {
          count: files,
          ratio: ratio * share,
          days: days * share,
          run,
          cursor: from === 0 ? cursor : null,
        },
        from + files < count,
      )
      last = { key, span, isWhole: files === count }
    }
  }
  return spans
}

/** Estimates the height of files in pixels, by the sum of their ratios and the number of days. */
export function estimate({ ratio, days }: Pick<Span, 'ratio' | 'days'>, look: Look): number {
  const { width, rowHeight, gap, heading } = look
  // The last row of a day is half empty.
  const rows = Math.max(1, (ratio * rowHeight) / width + days / 2)
  return Math.round(rows * (rowHeight + gap) + days * heading)
}

/**
 * Returns where each of the heights begins, stacked below `lead` pixels, and, as one more number, where
 * they end.
 */
export function stack(heights: ArrayLike<number>, lead = 0): Float64Array {
  const tops = new Float64Array(heights.length + 1)
  tops[0] = lead
  for (let index = 0; index < heights.length; index++) {
    tops[index + 1] = tops[index]! + heights[index]!
  }
  return tops
}

/** Returns the index of the item at `y` in a stack; the first or last one for a `y` outside. */
export function indexAt(tops: ArrayLike<number>, y: number): number {
  let low = 0
  let high = Math.max(0, tops.length - 2)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (tops[middle]! <= y) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Returns the indices of the first item of a stack that touches the stretch and of the one after the
 * last.
 */
export function windowOf(tops: ArrayLike<number>, from: number, to: number): [number, number] {
  if (tops.length < 2 || to <= 0 || from >= tops[tops.length - 1]!) return [0, 0]
  return [indexAt(tops, from), indexAt(tops, Math.max(from, to - 1)) + 1]
}

/** The position of the scrolled box in the listing. */
export interface Box {
  height: number
  /** Pixels of the listing above the box; negative if the box begins earlier. */
  base: number
}

/** The outermost part of the box, in which it is moved. */
const OUTER = 0.05

/**
 * Returns the box for a listing of `total` pixels that shows `y`. It stays in place while `y` is in its
 * inner part, because moving it costs a write of the scroll position. When nothing moves (`isCalm`), a
 * listing that fits into one box gets the box that begins where it begins.
 */
export function placeBox(
  { base }: Box,
  { y, total, view, isCalm }: { y: number; total: number; view: number; isCalm: boolean },
): Box {
  const wanted = Math.max(view, Math.min(HIGHEST, total))
  const isWhole = total <= HIGHEST
  const inBox = y - base
  const edge = wanted * OUTER
  const isInner = inBox >= edge && inBox + view <= wanted - edge
  const stays = isInner || isAtEnd(base, wanted, total, inBox, view)
  if (stays && !(isWhole && isCalm)) return { height: wanted, base }
  if (isWhole) return { height: wanted, base: 0 }
  const middle = Math.round(y + view / 2 - wanted / 2)
  return { height: wanted, base: Math.max(0, Math.min(total - wanted, middle)) }
}

/** Returns whether the box ends with the listing at the edge that `inBox` is near. */
function isAtEnd(base: number, height: number, total: number, inBox: number, view: number) {
  return inBox + view / 2 < height / 2 ? base === 0 : base === total - height
}

/** Returns the buckets with one file less for each of the times, in seconds of the local clock. */
export function withoutFiles(buckets: readonly Bucket[], times: readonly number[]): Bucket[] {
  const gone = new Map<string, number>()
  for (const time of times) {
    const key = monthKey(dayOf(time))
    gone.set(key, (gone.get(key) ?? 0) + 1)
  }
  return buckets.map((bucket) => {
    const { key, count } = bucket
    // A large month has several buckets.
    const taken = Math.min(count, gone.get(key) ?? 0)
    gone.set(key, (gone.get(key) ?? 0) - taken)
    return taken > 0 ? { ...bucket, count: count - taken } : bucket
  })
}
