import type { Schemas } from '../../../client/index.ts'
import type { Cell } from '../../base/listing.ts'
import { dayOf } from '../days.ts'

/** The server's data on consecutive files, one list per column. */
export interface Columns {
  ids: string[]
  t: number[]
  r: number[]
  k: string
  h: (string | null)[]
  f: number[]
  d: (number | null)[]
  v: string[]
  /** The time of the first file of its series, null for files in none; absent where series aren't shown. */
  s?: (number | null)[] | undefined
  /** The id of the film that is one with it, null for a file without. */
  c?: (string | null)[] | undefined
  /** The towns near which they were taken, null for none; absent where they aren't shown. */
  near?: (Schemas['Place'] | null)[] | undefined
}

export interface CellPage extends Columns {
  next_cursor: string | null
  prev_cursor: string | null
}

/** Returns the file at an index of a block or page. */
export function cellOf(files: Columns, index: number): Cell {
  const r = files.r[index]!
  return {
    id: files.ids[index]!,
    t: files.t[index]!,
    ratio: r / 100,
    kind: files.k[index] === 'v' ? 'v' : 'j',
    hash: files.h[index] ?? null,
    flags: files.f[index]!,
    duration: files.d[index] ?? null,
    version: files.v[index]!,
    series: files.s?.[index] ?? null,
    film: files.c?.[index] ?? null,
  }
}

export function slice(page: Columns, from: number, end: number): Columns {
  return {
    ids: page.ids.slice(from, end),
    t: page.t.slice(from, end),
    r: page.r.slice(from, end),
    k: page.k.slice(from, end),
    h: page.h.slice(from, end),
    f: page.f.slice(from, end),
    d: page.d.slice(from, end),
    v: page.v.slice(from, end),
    s: page.s?.slice(from, end),
    c: page.c?.slice(from, end),
    near: page.near?.slice(from, end),
  }
}

export function pick(files: Columns, isPicked: (id: string) => boolean): Columns {
  const indices = files.ids.flatMap((id, index) => (isPicked(id) ? [index] : []))
  const of = <T>(column: readonly T[]) => indices.map((index) => column[index]!)
  return {
    ids: of(files.ids),
    t: of(files.t),
    r: of(files.r),
    k: indices.map((index) => files.k[index]).join(''),
    h: of(files.h),
    f: of(files.f),
    d: of(files.d),
    v: of(files.v),
    s: files.s && of(files.s),
    c: files.c && of(files.c),
    near: files.near && of(files.near),
  }
}

const UNKNOWN_RATIO = 4 / 3

/**
 * Returns the aspect ratios of the files' tiles, 4:3 where unknown. It is 0 for a file without one, which is behind the
 * tile before it: that of the first file of its series on the same day.
 */
export function ratiosOf({ r, s, t }: Columns): Float64Array {
  return Float64Array.from(r, (hundredths, at) => {
    const series = s?.[at] ?? null
    const isBehind =
      series !== null && series === s?.[at - 1] && dayOf(t[at]!) === dayOf(t[at - 1]!)
    return isBehind ? 0 : hundredths === 0 ? UNKNOWN_RATIO : hundredths / 100
  })
}

/** Returns the sum of the aspect ratios of the files' tiles. */
export function sumOfRatios(files: Columns): number {
  return ratiosOf(files).reduce((sum, ratio) => sum + ratio, 0)
}

/** Returns the number of different days in a sorted list of times. */
export function countDays(times: readonly number[]): number {
  let days = 0
  let last: number | null = null
  for (const time of times) {
    const day = dayOf(time)
    if (day !== last) days++
    last = day
  }
  return days
}
