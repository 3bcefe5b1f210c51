import type { SortOrder } from '../../base/enums.ts'
import { type Direction, keysetCondition, type Place } from '../../db/keyset.ts'
import type { Sql } from '../../db/sql.ts'

/** From an instant up to but not including another, in milliseconds since 1970; null for no end. */
export interface Range {
  from: number | null
  to: number | null
}

export const ALL_TIMES: Range = { from: null, to: null }

/** Returns whether a range has an end. */
export function isBounded({ from, to }: Range): boolean {
  return from !== null || to !== null
}

/** Returns the range of the times that are in both of two; it is empty where its end isn't after its beginning. */
export function commonRange(one: Range, other: Range): Range {
  const from = Math.max(one.from ?? -Infinity, other.from ?? -Infinity)
  const to = Math.min(one.to ?? Infinity, other.to ?? Infinity)
  return { from: Number.isFinite(from) ? from : null, to: Number.isFinite(to) ? to : null }
}

/** Returns the least range that holds both of two. */
export function wholeRange(one: Range, other: Range): Range {
  return {
    from: one.from === null || other.from === null ? null : Math.min(one.from, other.from),
    to: one.to === null || other.to === null ? null : Math.max(one.to, other.to),
  }
}

/** Returns the conditions that a time in a column is in a range. */
export function betweenTimes(column: string, { from, to }: Range): Sql[] {
  const ends: Sql[] = []
  if (from !== null) ends.push({ sql: `${column} >= ?`, params: [from] })
  if (to !== null) ends.push({ sql: `${column} < ?`, params: [to] })
  return ends
}

export type Columns = Parameters<typeof keysetCondition>[0]

// In ascending order; null for no end.
interface Ends {
  low: Place | null
  high: Place | null
}

function endsOfRange({ from, to }: Range): Ends {
  const end = (time: number | null) => (time === null ? null : endAt(time))
  return { low: end(from), high: end(to) }
}

/** Returns the ends of the part of a list in the order of creation from `first` to `last`. */
export function endsOfSpan(
  { first, last }: { first: number; last: number },
  order: SortOrder,
): Ends {
  const [outer, inner] =
    order === 'asc' ? (['before', 'after'] as const) : (['after', 'before'] as const)
  return {
    low: { key: first, id: FIRST_ID, side: outer },
    high: { key: last, id: LAST_ID, side: inner },
  }
}

/** Returns the ends of the part of a list sorted by type that holds these types and those between them. */
export function endsOfTypes(types: string[]): Ends {
  const sorted = types.toSorted()
  return {
    low: { key: sorted[0]!, id: FIRST_ID, side: 'before' },
    high: { key: sorted.at(-1)!, id: LAST_ID, side: 'after' },
  }
}

/**
 * Returns the conditions for the rows from a place on in `direction` that are between two ends. SQLite uses only one
 * condition for each end of the part of an index that it reads, so only the narrower one is returned.
 */
export function withinEnds(
  columns: Columns,
  { low, high, order }: Ends & { order: SortOrder },
  { place, direction }: { place: Place | null; direction: Direction },
): Sql[] {
  const ascending = (order === 'asc') === (direction === 'forward')
  const [start, stop] = ascending ? [low, high] : [high, low]
  const near = start && (!place || isPast(start, place, ascending)) ? start : place
  const back = direction === 'forward' ? 'backward' : 'forward'
  return [
    ...(near ? [keysetCondition(columns, order, near, direction)] : []),
    ...(stop ? [keysetCondition(columns, order, stop, back)] : []),
  ]
}

/** Returns the conditions for the rows from a place on in `direction` that are in a range. */
export function withinRange(
  columns: Columns,
  { range, order }: { range: Range; order: SortOrder },
  part: { place: Place | null; direction: Direction },
): Sql[] {
  return withinEnds(columns, { ...endsOfRange(range), order }, part)
}

/** Ids that no file has. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

function endAt(time: number): Place {
  return { key: time, id: FIRST_ID, side: 'before' }
}

function isPast(end: Place, place: Place, ascending: boolean): boolean {
  const [a, b] = [end.key ?? 0, place.key ?? 0]
  const isLater = a === b ? end.id > place.id : a > b
  return isLater === ascending
}
