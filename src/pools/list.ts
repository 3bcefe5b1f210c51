import { accessCondition } from '../acl/access.ts'
import type { Db } from '../db/client.ts'
import { columnNames } from '../db/column-names.ts'
import { blobToUuid, uuidToBlob } from '../db/columns.ts'
import {
  type Cursor,
  keysetCondition,
  keysetOrder,
  type Place,
  packCursor,
  unpackCursor,
} from '../db/keyset.ts'
import { files } from '../db/schema/files.ts'
import { poolFiles } from '../db/schema/pools.ts'
import { and, type Sql } from '../db/sql.ts'
import type { PoolSortKey, SortOrder } from '../enums.ts'
import { invalid } from '../errors.ts'
import { type FileSet, hasFile } from '../files/filter/bitset.ts'
import { LEAVES_TO_PROBE } from '../files/filter/plan.ts'
import { probe } from '../files/filter/probe.ts'
import { matchingFiles } from '../files/filter/sets.ts'
import { countLeaves, type Tree } from '../files/filter/tree.ts'
import { readFilter } from '../files/list.ts'
import { presentPage } from '../files/present.ts'
import { type JsonText, jsonArray } from '../http/json.ts'
import type { User } from '../user.ts'
import type { PoolRecord } from './queries.ts'
import type { PoolFileCursorPage, PoolFilesQuery } from './schema.ts'

const POOL_CURSOR = 'pool'
const CURSOR_KEYS = {
  manual: 'number',
  content_datetime: 'number',
  created: 'null',
  original_name: 'string',
} as const

const f = columnNames(files, 'f')
const p = columnNames(poolFiles, 'p')

const COLUMNS: Record<PoolSortKey, string | null> = {
  manual: p.position,
  content_datetime: f.content_datetime,
  created: null,
  original_name: f.name_key,
}

type Position = Pick<typeof poolFiles.$inferSelect, 'position'>

interface PoolEntry extends Position, Pick<typeof files.$inferSelect, 'rid' | 'id'> {
  key: string | number | null
}

/** The part of a pool from which a page is taken. */
interface PoolWalk {
  viewer: User
  pool: PoolRecord
  order: SortOrder
  tree: Tree | null
  /** The files that match the tree, if they were looked up beforehand. */
  files: FileSet | null
}

/**
 * Returns a page of the files of a pool, in its active sort. Throws a validation error for a wrong
 * filter or cursor before `load` looks up the pool, and afterwards for a cursor of another sort or
 * order than the active one.
 */
export async function listPoolFiles(
  db: Db,
  viewer: User,
  load: () => PoolRecord,
  query: PoolFilesQuery,
): Promise<JsonText<PoolFileCursorPage>> {
  const tree = readFilter(db, viewer, query.filter ?? '')
  const cursor = query.cursor === undefined ? null : readCursor(query.cursor)
  const pool = load()
  const order = pool.sort_key === 'manual' ? 'asc' : pool.sort_order
  const walk: PoolWalk = { viewer, pool, order, tree, files: await filesInMemory(db, viewer, tree) }
  // From here on nothing else runs: a place is valid only as long as the pool doesn't change.
  const place = cursor && placeOf(db, walk, cursor)
  const found = walkPool(db, walk, place, query.limit + 1)
  const positions = new Map(found.slice(0, query.limit).map((entry) => [entry.rid, entry.position]))
  const { files, taken } = presentPage(db, viewer, [...positions.keys()], {
    more: (rid) => ({ position: positions.get(rid)! }),
  })
  const last = found[taken - 1]
  const next =
    last && found.length > taken
      ? JSON.stringify(packCursor(POOL_CURSOR, { sort: pool.sort_key, order, place: after(last) }))
      : 'null'
  return `{"items":${jsonArray(files)},"next_cursor":${next}}`
}

function after(entry: PoolEntry): Place {
  return { key: entry.key, id: entry.id, side: 'after' }
}

function readCursor(text: string): Cursor<PoolSortKey> {
  return unpackCursor<PoolSortKey>(POOL_CURSOR, CURSOR_KEYS, text)
}

/** Returns where a cursor is now: in the manual order its file may have moved, or be gone. */
function placeOf(db: Db, { viewer, pool, order }: PoolWalk, cursor: Cursor<PoolSortKey>): Place {
  if (cursor.sort !== pool.sort_key || cursor.order !== order) {
    throw invalid('cursor', "belongs to another sort or order than the pool's")
  }
  if (pool.sort_key !== 'manual') return cursor.place
  // A cursor that names a hidden file must not reveal the position of that file.
  const visible = accessCondition(viewer, 'file', 'view', 'f')
  const row = db.get<Position>(
    `SELECT ${p.position} FROM files f JOIN pool_files p ON ${p.file_rid} = ${f.rid} AND ${p.pool_rid} = ?
     WHERE ${f.id} = ? AND ${visible.sql}`,
    pool.rid,
    uuidToBlob(cursor.place.id),
    ...visible.params,
  )
  if (row) return { ...cursor.place, key: row.position }
  // The next file has moved up to where this one was.
  return { ...cursor.place, side: 'before' }
}

/**
 * Returns the files that match a tree, or null unless it has so many leaves that a statement would
 * be too deep to run.
 */
function filesInMemory(db: Db, viewer: User, tree: Tree | null): Promise<FileSet> | null {
  const isDeep = tree !== null && countLeaves(tree) > LEAVES_TO_PROBE
  return isDeep ? matchingFiles(db, tree, viewer) : null
}

function walkPool(db: Db, walk: PoolWalk, place: Place | null, limit: number): PoolEntry[] {
  const { viewer, tree, files } = walk
  if (!files) return poolEntries(db, walk, place, tree ? [probe(tree, viewer)] : [], limit)
  return poolEntries(db, walk, place, [], -1)
    .filter((entry) => hasFile(files, entry.rid))
    .slice(0, limit)
}

/** Returns the entries from a place on; a limit of -1 means no limit. */
function poolEntries(
  db: Db,
  { viewer, pool, order }: PoolWalk,
  place: Place | null,
  asked: Sql[],
  limit: number,
): PoolEntry[] {
  const columns = { column: COLUMNS[pool.sort_key], id: f.id }
  const where = and([
    { sql: `${p.pool_rid} = ? AND ${f.is_deleted} = 0`, params: [pool.rid] },
    accessCondition(viewer, 'file', 'view', 'f'),
    ...(place ? [fromPlace(pool, columns, order, place)] : []),
    ...asked,
  ])
  const orderBy = pool.sort_key === 'manual' ? p.position : keysetOrder(columns, order, 'forward')
  return db
    .all<Omit<PoolEntry, 'id'> & { id: Uint8Array }>(
      `SELECT ${f.rid}, ${f.id}, ${columns.column ?? 'NULL'} AS key, ${p.position}
       FROM pool_files p CROSS JOIN files f ON ${f.rid} = ${p.file_rid}
       WHERE ${where.sql} ORDER BY ${orderBy} LIMIT ?`,
      ...where.params,
      limit,
    )
    .map((row) => ({ ...row, id: blobToUuid(row.id) }))
}

function fromPlace(
  pool: PoolRecord,
  columns: { column: string | null; id: string },
  order: SortOrder,
  place: Place,
): Sql {
  if (pool.sort_key !== 'manual') return keysetCondition(columns, order, place, 'forward')
  // Positions are unique, so the index of positions alone finds the place.
  return {
    sql: `${p.position} ${place.side === 'after' ? '>' : '>='} ?`,
    params: [place.key],
  }
}
