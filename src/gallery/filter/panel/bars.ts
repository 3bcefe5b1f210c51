/** The photos of a year or a month. */
export interface Bar {
  /** `2019` or `2019-05`. */
  key: string
  /** Its first and its last day. */
  from: string
  to: string
  count: number
}

interface Bucket {
  key: string
  count: number
}

/** How many years are shown by months. */
const FEW_YEARS = 3

/** Returns the years from the first to the last of a timeline with their photos; of few years, the months. */
export function barsOf(buckets: Bucket[]): Bar[] {
  const years = buckets.map(({ key }) => Number(key.slice(0, 4)))
  if (years.length === 0) return []
  const [first, last] = [Math.min(...years), Math.max(...years)]
  // A year of which no more is known is no month.
  const areMonths = last - first < FEW_YEARS && buckets.every(({ key }) => key.length > 4)
  const bars = new Map<string, Bar>()
  for (let year = first; year <= last; year++) {
    for (let month = 0; month < (areMonths ? 12 : 1); month++) {
      const from = day(year, month)
      const to = areMonths ? day(year, month + 1, 0) : day(year, 11, 31)
      const key = from.slice(0, areMonths ? 7 : 4)
      bars.set(key, { key, from, to, count: 0 })
    }
  }
  for (const { key, count } of buckets) bars.get(key.slice(0, areMonths ? 7 : 4))!.count += count
  const all = [...bars.values()]
  const isFull = ({ count }: Bar) => count > 0
  return all.slice(all.findIndex(isFull), all.findLastIndex(isFull) + 1)
}

// `Date.UTC` takes the years 0 to 99 for those of the last century.
function day(year: number, month: number, date = 1): string {
  return new Date(new Date(0).setUTCFullYear(year, month, date)).toISOString().slice(0, 10)
}
