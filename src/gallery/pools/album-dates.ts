import { known, span } from '../base/format.ts'
import { type Cell, precisionOf } from '../base/listing.ts'

type Dated = Pick<Cell, 't' | 'flags'>

/** Returns the dates of an album from its first and its last file: `6–13 February 2021`, `1987 – 14 July 1990`. */
export function datesBetween(first: Dated, last: Dated): string {
  const partOf = (file: Dated) => precisionOf(file) ?? 'day'
  if (partOf(first) === 'day' && partOf(last) === 'day') return span(first.t, last.t)
  const [from, to] = [first, last].map((file) => known(file.t, partOf(file)))
  return from === to ? from! : `${from} – ${to}`
}
