import { desc } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { columnNames } from '../db/column-names.ts'
import { uuidToBlob } from '../db/columns.ts'
import { firstIdAt } from '../db/ids.ts'
import type { Cursor, Place } from '../db/keyset.ts'
import { files } from '../db/schema/files.ts'
import { and, type Sql } from '../db/sql.ts'
import { type FileSet, setOf } from './file-set.ts'
import type { Range } from './find/range.ts'

// Files stand in the order of their row numbers, and their ids tell their times: a clock that was set back lets
// the two disagree. What is of a range need not stand together, then.

const f = columnNames(files)

/** Returns the conditions that a file was created in a range, by the column of its id. */
export function createdBetween(column: string, { from, to }: Range): Sql[] {
  const ends: Sql[] = []
  if (from !== null) ends.push({ sql: `${column} >= ?`, params: [firstIdAt(from)] })
  if (to !== null) ends.push({ sql: `${column} < ?`, params: [firstIdAt(to)] })
  return ends
}

/** The first and the last file of a range, which may have others between them. */
interface Span {
  first: number
  last: number
}

/** A range is that of one request, which asks for its pages in several statements. */
const spans = new WeakMap<Range, Span>()

/** Returns the first and the last file, by their row numbers, that were created in a range. */
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
  const { rids } = db.get<{ rids: string }>(
    `SELECT json_group_array(${f.rid}) AS rids FROM files INDEXED BY files_id_unique WHERE ${sql}`,
    ...params,
  )!
  return setOf(JSON.parse(rids) as number[])
}

/** Returns a place in the order of creation as a cursor says it: row numbers would tell how many files others add. */
export function byId(place: Place): Place {
  return { ...place, key: null }
}

/**
 * Returns the place of a cursor in the order of creation, by row numbers. Of a file that is gone, it is between the
 * files with the next ids; where these don't stand together, the list goes on from the one that leaves none out.
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
  /** The files up to this one are before the place, or after it in descending order. */
  const ends = [earlier, later && later - 1].filter((end) => end !== undefined)
  if (ends.length === 0) return { ...place, key: 0 }
  return order === 'asc'
    ? { ...place, key: Math.min(...ends), side: 'after' }
    : { ...place, key: Math.max(...ends), side: 'before' }
}

/** Returns the id of the file that was created last, or undefined when there is none. */
export function newestFileId(db: Db): string | undefined {
  return db.select({ id: files.id }).from(files).orderBy(desc(files.rid)).limit(1).get()?.id
}
