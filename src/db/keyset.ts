import { z } from 'zod'
import { SORT_ORDERS, type SortOrder } from '../base/enums.ts'
import { invalid } from '../base/errors.ts'
import { uuidToBlob } from './columns.ts'
import type { Sql } from './sql.ts'

/** Which way a list is walked from a place. */
export const DIRECTIONS = ['forward', 'backward'] as const
export type Direction = (typeof DIRECTIONS)[number]

const SIDES = ['before', 'after'] as const

/** A place between two items of a list: just before or just after the item with this key. */
export interface Place {
  /** Value of the sort column; null in a cursor that names its item by the id alone. */
  key: string | number | null
  id: string
  side: (typeof SIDES)[number]
}

/** A place in one list, in one sort and order. */
export interface Cursor<Sort extends string> {
  sort: Sort
  order: SortOrder
  place: Place
}

const Packed = z.tuple([
  z.string(),
  z.string(),
  z.enum(SORT_ORDERS),
  z.union([z.string().refine((text) => text.isWellFormed()), z.int(), z.null()]),
  z.guid().toLowerCase(),
  z.enum(SIDES),
])

/** Returns the opaque text of a cursor of the list named `list`. */
export function packCursor<Sort extends string>(list: string, cursor: Cursor<Sort>): string {
  const { key, id, side } = cursor.place
  return Buffer.from(JSON.stringify([list, cursor.sort, cursor.order, key, id, side])).toString(
    'base64url',
  )
}

/**
 * Returns the cursor in `text`. `keys` names the sorts of the list with the type of their key. Throws a validation
 * error when the text isn't a cursor of this list.
 */
export function unpackCursor<Sort extends string>(
  list: string,
  keys: Record<Sort, 'string' | 'number' | 'null'>,
  text: string,
): Cursor<Sort> {
  const parsed = Packed.safeParse(decode(text))
  if (!parsed.success) throw notACursor()
  const [name, sort, order, key, id, side] = parsed.data
  const type = key === null ? 'null' : typeof key
  if (name !== list || !Object.hasOwn(keys, sort) || keys[sort as Sort] !== type) throw notACursor()
  return { sort: sort as Sort, order, place: { key, id, side } }
}

/** Returns the name of the list in a cursor; undefined for anything else. */
export function cursorList(text: string): string | undefined {
  const parsed = Packed.safeParse(decode(text))
  return parsed.success ? parsed.data[0] : undefined
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

function notACursor() {
  return invalid('cursor', 'is not a cursor of this list')
}

/**
 * Returns the condition for the rows from `place` on in `direction`, in a list that is sorted by `column` and then by
 * `id`, both in `order`. When `id` is null, the list is sorted by the column alone, which must be unique.
 */
export function keysetCondition(
  columns: { column: string; id: string | null; isComputed?: boolean },
  order: SortOrder,
  place: Place,
  direction: Direction,
): Sql {
  const ascending = (order === 'asc') === (direction === 'forward')
  const excludes = (place.side === 'after') === (direction === 'forward')
  const operator = (ascending ? '>' : '<') + (excludes ? '' : '=')
  if (columns.id === null) return { sql: `${columns.column} ${operator} ?`, params: [place.key] }
  // The id must be an ordinary column: with the rowid, SQLite would seek by the sort column only.
  const after = {
    sql: `(${columns.column}, ${columns.id}) ${operator} (?, ?)`,
    params: [place.key, uuidToBlob(place.id)],
  }
  // By a pair that begins with an expression, SQLite doesn't seek.
  if (!columns.isComputed) return after
  const seek = `${columns.column} ${operator[0]}= ?`
  return { sql: `${seek} AND ${after.sql}`, params: [place.key, ...after.params] }
}

/** Returns the ORDER BY terms for a walk through such a list in `direction`. */
export function keysetOrder(
  columns: { column: string; id: string | null },
  order: SortOrder,
  direction: Direction,
): string {
  const word = (order === 'asc') === (direction === 'forward') ? 'ASC' : 'DESC'
  return [columns.column, columns.id]
    .filter((column) => column !== null)
    .map((column) => `${column} ${word}`)
    .join(', ')
}
