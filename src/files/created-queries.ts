import { desc } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { columnNames, uuidToBlob } from '../db/columns.ts'
import { firstIdAt } from '../db/ids.ts'
import type { Cursor, Place } from '../db/keyset.ts'
import { reading } from '../db/reading.ts'
import { files } from '../db/schema/files.ts'
import { and, numbersOf, type Sql } from '../db/sql.ts'
import { type FileSet, setOf } from './file-set.ts'
import type { Range } from './find/range.ts'

// Files are ordered by their row numbers, while their ids hold their times: a clock that is set back makes the two
// disagree. So the files of a range need not be adjacent.

const f = columnNames(files)

/** Returns the conditions that a file was created in a range, given the column of its id. */
export function createdBetween(column: string, { from, to }: Range): Sql[] {
  const ends: Sql[] = []
  if (from !== null) ends.push({ sql: `${column} >= ?`, params: [firstIdAt(from)] })
  if (to !== null) ends.push({ sql: `${column} < ?`, params: [firstIdAt(to)] })
  return ends
}

/** The first and last file of a range; files outside the range may be between them. */
interface Span {
  first: number
  last: number
}

// A range belongs to one request, which asks for its pages in several statements.
const spans = new WeakMap<Range, Span>()

/** Returns the row numbers of the first and the last file that were created in a range. */
export function spanOfCreated(db: Db, range: Range): Span {
  const known = spans.get(range)
  if (known) return known
  const { sql, params } = and(createdBetween(f.id, range))
  const found = db.get<{ first: number | null; last: number | null }>(
    `SELECT min(${f.rid}) AS first, max(${f.rid}) AS last FROM files INDEXED BY files_id_unique WHERE ${sql}`,
    ...params,
  )!
  const span = { first: found.first ?? 1, last: found.last ?? 0 }
  spans.set(range, span)
  return span
}

/** Returns the set of the files that were created in a range. */
export function createdFiles(db: Db, range: Range): FileSet {
  const { sql, params } = and(createdBetween(f.id, range))
  const created = `SELECT ${f.rid} FROM files INDEXED BY files_id_unique WHERE ${sql}`
  return setOf(numbersOf(db, { sql: created, params }))
}

/**
 * Returns a place in the order of creation for a cursor, without the row number, which would reveal how many files
 * others add.
 */
export function byId(place: Place): Place {
  return { ...place, key: null }
}

/**
 * Returns the place of a cursor in the order of creation, by row numbers. The place of a file that is gone is between
 * the files with the next ids; where these aren't adjacent, the list goes on from the one that omits no file.
 */
export function placeOfId(
  db: Db,
  { place, order }: Pick<Cursor<string>, 'place' | 'order'>,
): Place {
  const ridOf = (condition: string) =>
    db.get<{ rid: number }>(
      `SELECT ${f.rid} FROM files WHERE ${condition} LIMIT 1`,
      uuidToBlob(place.id),
    )?.rid
  const own = ridOf(`${f.id} = ?`)
  if (own !== undefined) return { ...place, key: own }
  const earlier = ridOf(`${f.id} < ? ORDER BY ${f.id} DESC`)
  const later = ridOf(`${f.id} > ? ORDER BY ${f.id}`)
  // The files up to this one are before the place, or after it in descending order.
  const ends = [earlier, later && later - 1].filter((end) => end !== undefined)
  if (ends.length === 0) return { ...place, key: 0 }
  return order === 'asc'
    ? { ...place, key: Math.min(...ends), side: 'after' }
    : { ...place, key: Math.max(...ends), side: 'before' }
}

/** Returns the id of the newest file, or undefined when there is none. */
export function newestFileId(db: Db): string | undefined {
  return db.first(
    reading({ id: files.id }, (fields) =>
      db.select(fields).from(files).orderBy(desc(files.rid)).limit(1),
    ),
  )?.id
}
