import { accessCondition } from '../acl/access.ts'
import type { Db } from '../db/client.ts'
import { columnNames } from '../db/column-names.ts'
import { blobToUuid, uuidToBlob } from '../db/columns.ts'
import {
  type Cursor,
  type Direction,
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
import { type FileSet, hasFile } from '../files/file-set.ts'
import { LEAVES_TO_PROBE } from '../files/filter/plan.ts'
import { probe } from '../files/filter/probe.ts'
import { namedLike } from '../files/filter/query.ts'
import { ALL_TIMES, betweenTimes, withinRange } from '../files/filter/range.ts'
import { matchingFiles } from '../files/filter/sets.ts'
import { countLeaves, type Tree } from '../files/filter/tree.ts'
import { type Asked, readFilter } from '../files/list.ts'
import { type Listing, type Part, placeOf } from '../files/page.ts'
import { presentPage } from '../files/present.ts'
import type { Pools } from '../files/sets/listing.ts'
import { type JsonText, jsonArray } from '../http/json.ts'
import type { User } from '../user.ts'
import type { PoolRecord } from './queries.ts'
import { keysFrom, positionsOfKeys, readRanks } from './ranks.ts'
import type { PoolFileCursorPage, PoolFilesQuery } from './schema.ts'

/** The name that cursors carry for lists in the order of a pool. */
export const POOL_CURSOR = 'pool'
const CURSOR_KEYS = {
  manual: 'number',
  content_datetime: 'number',
  created: 'null',
  original_name: 'string',
} as const

const f = columnNames(files, 'f')
const p = columnNames(poolFiles, 'p')

const COLUMNS: Record<PoolSortKey, string | null> = {
  manual: p.order_key,
  content_datetime: f.content_datetime,
  created: null,
  original_name: f.name_key,
}

type Keyed = Pick<typeof poolFiles.$inferSelect, 'order_key'>

interface PoolEntry extends Keyed, Pick<typeof files.$inferSelect, 'rid' | 'id'> {
  key: string | number | null
}

/** What is listed of a pool, and how. */
interface PoolWalk extends Asked {
  viewer: User
  pool: PoolRecord
  order: SortOrder
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
  const asked = { tree, search: '', range: ALL_TIMES, trash: false }
  const walk = await walkOf(db, viewer, load(), asked)
  // From here on nothing else runs, so that positions are those of the files.
  const place = startOf(db, walk, cursor)
  const found = walkPool(db, walk, { place, direction: 'forward', limit: query.limit + 1 })
  const keys = new Map(found.slice(0, query.limit).map((entry) => [entry.rid, entry.order_key]))
  const positions = positionsOfKeys(readRanks(db, walk.pool.rid), [...keys.values()])
  const { files, taken } = presentPage(db, viewer, [...keys.keys()], {
    more: (rid) => ({ position: positions.get(keys.get(rid)!)! }),
  })
  const last = found[taken - 1]
  const next =
    last && found.length > taken
      ? JSON.stringify(cursorAt(db, walk, placeOf(last, 'after')))
      : 'null'
  return `{"items":${jsonArray(files)},"next_cursor":${next}}`
}

/**
 * Returns the files of a pool that match what is asked, in the pool's active sort, and the place of a
 * cursor. Throws a validation error for the cursor, and what `load` throws.
 */
export async function openPoolList(
  db: Db,
  viewer: User,
  { load, cursor: text }: { load: () => PoolRecord; cursor: string | undefined },
  asked: Asked,
): ReturnType<Pools['list']> {
  const cursor = text === undefined ? null : readCursor(text)
  const pool = load()
  const walk = await walkOf(db, viewer, pool, asked)
  const place = startOf(db, walk, cursor)
  const listing: Listing = {
    walk: async (part) => walkPool(db, walk, part),
    find: async (rid) => {
      const isFile = { sql: `${f.rid} = ?`, params: [rid] }
      const part = { place: null, direction: 'forward', limit: 1 } as const
      return walkPool(db, walk, part, [isFile])[0]
    },
    cursorAt: (place) => cursorAt(db, walk, place),
  }
  const byCreation = pool.sort_key === 'created'
  return { listing, place, rid: pool.rid, byCreation }
}

async function walkOf(db: Db, viewer: User, pool: PoolRecord, asked: Asked): Promise<PoolWalk> {
  const order = pool.sort_key === 'manual' ? 'asc' : pool.sort_order
  return { viewer, pool, order, ...asked, files: await filesInMemory(db, viewer, asked.tree) }
}

/** A cursor tells the position in the manual order: the key there may be another one by the next request. */
function cursorAt(db: Db, { pool, order }: PoolWalk, place: Place): string {
  const key = pool.sort_key === 'manual' ? positionOf(db, pool, Number(place.key)) : place.key
  return packCursor(POOL_CURSOR, { sort: pool.sort_key, order, place: { ...place, key } })
}

function positionOf(db: Db, pool: PoolRecord, key: number): number {
  return positionsOfKeys(readRanks(db, pool.rid), [key]).get(key)!
}

function readCursor(text: string): Cursor<PoolSortKey> {
  return unpackCursor<PoolSortKey>(POOL_CURSOR, CURSOR_KEYS, text)
}

/**
 * Returns the place of a cursor. Throws a validation error for one of another sort or order than the pool's.
 */
function startOf(db: Db, walk: PoolWalk, cursor: Cursor<PoolSortKey> | null): Place | null {
  if (!cursor) return null
  const { pool, order } = walk
  const { place, sort } = cursor
  if (sort !== pool.sort_key || cursor.order !== order) {
    throw invalid('cursor', "belongs to another sort or order than the pool's")
  }
  if (sort !== 'manual') return place
  const held = heldNow(db, walk, place)
  if (held) return { ...place, key: held.order_key }
  // The next file has moved up to where this one was.
  const [key = Number.MAX_SAFE_INTEGER] = keysFrom(readRanks(db, pool.rid), Number(place.key), 1)
  return { ...place, key, side: 'before' }
}

/** Returns where a place is now: in the manual order its file may have moved, or be gone. */
function placeNow(db: Db, walk: PoolWalk, place: Place): Place {
  if (walk.pool.sort_key !== 'manual') return place
  const held = heldNow(db, walk, place)
  return held ? { ...place, key: held.order_key } : { ...place, side: 'before' }
}

/** Returns where the file of a place is in the manual order, if the viewer sees it there. */
function heldNow(db: Db, { viewer, pool }: PoolWalk, place: Place): Keyed | undefined {
  // A cursor that names a hidden file must not reveal the position of that file.
  const visible = accessCondition(viewer, 'file', 'view', 'f')
  return db.get<Keyed>(
    `SELECT ${p.order_key} FROM files f JOIN pool_files p ON ${p.file_rid} = ${f.rid} AND ${p.pool_rid} = ?
     WHERE ${f.id} = ? AND ${visible.sql}`,
    pool.rid,
    uuidToBlob(place.id),
    ...visible.params,
  )
}

/**
 * Returns the files that match a tree, or null unless it has so many leaves that a statement would
 * be too deep to run.
 */
function filesInMemory(db: Db, viewer: User, tree: Tree | null): Promise<FileSet> | null {
  const isDeep = tree !== null && countLeaves(tree) > LEAVES_TO_PROBE
  return isDeep ? matchingFiles(db, tree, viewer) : null
}

/** Returns the next files of a pool, of which further conditions hold. */
function walkPool(db: Db, walk: PoolWalk, part: Part, more: Sql[] = []): PoolEntry[] {
  const { viewer, tree, files } = walk
  if (!files) return poolEntries(db, walk, part, [...more, ...(tree ? [probe(tree, viewer)] : [])])
  return poolEntries(db, walk, { ...part, limit: -1 }, more)
    .filter((entry) => hasFile(files, entry.rid))
    .slice(0, part.limit)
}

/** Returns the entries of a part of a pool; a limit of -1 means no limit. */
function poolEntries(db: Db, walk: PoolWalk, part: Part, asked: Sql[]): PoolEntry[] {
  const { viewer, pool, order, trash, search, range } = walk
  const { direction, limit } = part
  const columns = { column: COLUMNS[pool.sort_key], id: f.id }
  const where = and([
    { sql: `${p.pool_rid} = ? AND ${f.is_deleted} = ?`, params: [pool.rid, Number(trash)] },
    accessCondition(viewer, 'file', 'view', 'f'),
    ...(part.place
      ? [fromPlace(pool, columns, order, placeNow(db, walk, part.place), direction)]
      : []),
    ...(pool.sort_key === 'created'
      ? withinRange(columns, { range, order }, { place: null, direction })
      : betweenTimes(f.content_datetime, range)),
    ...namedLike(search),
    ...asked,
  ])
  const orderBy =
    pool.sort_key === 'manual'
      ? `${p.order_key} ${direction === 'forward' ? 'ASC' : 'DESC'}`
      : keysetOrder(columns, order, direction)
  return db
    .all<Omit<PoolEntry, 'id'> & { id: Uint8Array }>(
      `SELECT ${f.rid}, ${f.id}, ${columns.column ?? 'NULL'} AS key, ${p.order_key}
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
  direction: Direction,
): Sql {
  if (pool.sort_key !== 'manual') return keysetCondition(columns, order, place, direction)
  // Keys are unique, so their index alone finds the place.
  const [isAfter, isBefore] = direction === 'forward' ? ['>', '>='] : ['<=', '<']
  return {
    sql: `${p.order_key} ${place.side === 'after' ? isAfter : isBefore} ?`,
    params: [place.key],
  }
}
