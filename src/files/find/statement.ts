import { accessCondition } from '../../acl/access.ts'
import type { Db } from '../../db/client.ts'
import { columnNames, uuidGroup, uuidsIn, uuidToBlob } from '../../db/columns.ts'
import type { SqlValue } from '../../db/driver.ts'
import { files } from '../../db/schema/files.ts'
import { poolFiles } from '../../db/schema/pools.ts'
import { numbersOf, type Sql } from '../../db/sql.ts'
import { type FileSet, hasFile } from '../file-set.ts'
import type { FileList, Query } from './query.ts'
import { filesOfList, ridsOf, type Source } from './sources.ts'

export interface Entry extends Pick<typeof files.$inferSelect, 'rid' | 'id'> {
  key: string | number
}

const f = columnNames(files, 'f')
const w = columnNames(files, 'w')
const p = columnNames(poolFiles, 'p')

interface Stretch {
  length: number
  limit: number
}

/** Returns the files of a stretch that match and that the viewer may view. */
export function nextMatches(db: Db, query: Query, { length, limit }: Stretch): Entry[] {
  // CROSS JOIN keeps the order of the inner walk, so the outer one stops as soon as it has enough.
  const row = query.asksRow ? `CROSS JOIN files f ON ${f.rid} = ${w.rid}` : ''
  const walked = query.asksRow ? 'w' : 'f'
  const { rid, id } = query.asksRow ? w : f
  const visible = query.visible(walked)
  return entries(
    db,
    `SELECT ${rid}, ${id}, ${walked}.key FROM (SELECT ${query.columns}, ${f.creator_id}, ${f.is_public}
      FROM files f INDEXED BY ${query.index} WHERE ${query.listed.sql}
      ORDER BY ${query.orderBy} LIMIT ?) ${walked} ${row} WHERE ${visible.sql} AND ${query.asked.sql} LIMIT ?`,
    [...query.listed.params, length, ...visible.params, ...query.asked.params, limit],
  )
}

/** Returns the files of a stretch that are in a set of files that match and that the viewer sees. */
export function nextOfSet(
  db: Db,
  query: Query,
  { length, limit }: Stretch,
  files: FileSet,
): Entry[] {
  const among = ridsInOrder(db, query, length)
    .filter((rid) => hasFile(files, rid))
    .slice(0, limit)
  return among.length === 0 ? [] : sortMatches(db, query, filesOfList(among), limit)
}

/** Returns the next files along the index, even those that the viewer may not view. */
export function ridsInOrder(db: Db, { index, listed, orderBy }: Query, length = -1): number[] {
  return numbersOf(db, {
    sql: `SELECT ${f.rid} FROM files f INDEXED BY ${index} WHERE ${listed.sql} ORDER BY ${orderBy} LIMIT ?`,
    params: [...listed.params, length],
  })
}

/** Returns the entry `offset` files further along the index, even if the viewer may not view it. */
export function entryAt(db: Db, query: Query, offset: number): Entry | undefined {
  return entries(
    db,
    `SELECT ${query.columns} FROM files f INDEXED BY ${query.index} WHERE ${query.listed.sql}
      ORDER BY ${query.orderBy} LIMIT 1 OFFSET ?`,
    [...query.listed.params, offset],
  )[0]
}

/** Returns the files of a source (rows `s`) that match and that the viewer may view, in order. */
export function sortMatches(db: Db, query: Query, source: Sql, limit: number): Entry[] {
  const visible = query.visible('f')
  return entries(
    db,
    `SELECT ${query.columns} FROM ${source.sql} CROSS JOIN files f ON ${f.rid} = s.rid
      WHERE ${query.listed.sql} AND ${visible.sql} AND ${query.asked.sql} ORDER BY ${query.orderBy} LIMIT ?`,
    [...source.params, ...query.listed.params, ...visible.params, ...query.asked.params, limit],
  )
}

/**
 * Returns those of the next `length` files of a source, in the order of creation, that match and that the viewer may
 * view, and a function that returns whether these were all that the source still had.
 */
export function nextOfSource(
  db: Db,
  query: Query,
  source: Source,
  { length, limit }: Stretch,
): { matches: Entry[]; isAll: () => boolean } {
  const { sql, params } = ridsOf(source)
  const within = query.within(source.column)
  const next = `${sql} AND ${within.sql} ORDER BY rid ${query.isAscending ? 'ASC' : 'DESC'} LIMIT ?`
  // Node binds numbers as floating-point ones, with which the full-text index doesn't seek.
  const places = within.params.map((place) => (typeof place === 'number' ? BigInt(place) : place))
  const given = [...params, ...places, length]
  const visible = query.visible('f')
  const matches = entries(
    db,
    `SELECT ${query.columns} FROM (${next}) s CROSS JOIN files f ON ${f.rid} = s.rid
      WHERE ${query.listed.sql} AND ${visible.sql} AND ${query.asked.sql} LIMIT ?`,
    [...given, ...query.listed.params, ...visible.params, ...query.asked.params, limit],
  )
  const isAll = () => countRows(db, { sql: `(${next})`, params: given }) < length
  return { matches, isAll }
}

/** Returns the number of rows of a part of a statement. */
export function countRows(db: Db, { sql, params }: Sql): number {
  return db.get<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`, ...params)!.count
}

/** Returns a file's key in the manual order of a list's pool, if the viewer sees the file there. */
export function keyNow(
  db: Db,
  { viewer, pool }: Pick<FileList, 'viewer' | 'pool'>,
  id: string,
): number | undefined {
  // A cursor that names a hidden file must not reveal the position of that file.
  const visible = accessCondition(viewer, 'file', 'view', 'f')
  return db.get<{ order_key: number }>(
    `SELECT ${p.order_key} FROM files f JOIN pool_files p ON ${p.file_rid} = ${f.rid} AND ${p.pool_rid} = ?
     WHERE ${f.id} = ? AND ${visible.sql}`,
    pool,
    uuidToBlob(id),
    ...visible.params,
  )?.order_key
}

// Entries as three texts, which are quicker to read than many rows.
interface EntryTexts {
  rids: string
  ids: string
  keys: string
}

/** Returns the entries whose row numbers, ids (by `uuidGroup`) and keys a statement returned as texts. */
export function readEntries(texts: EntryTexts): Entry[] {
  const ids = uuidsIn(texts.ids)
  const keys = JSON.parse(texts.keys) as Entry['key'][]
  const rids = JSON.parse(texts.rids) as number[]
  return rids.map((rid, n) => ({ rid, id: ids[n]!, key: keys[n]! }))
}

function entries(db: Db, sql: string, params: SqlValue[]): Entry[] {
  const texts = db.get<EntryTexts>(
    `SELECT json_group_array(rid) AS rids, ${uuidGroup('id')} AS ids, json_group_array(key) AS keys FROM (${sql})`,
    ...params,
  )!
  return readEntries(texts)
}
