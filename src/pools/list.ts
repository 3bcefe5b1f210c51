import type { PoolSortKey } from '../base/enums.ts'
import { invalid } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { type Cursor, type Place, packCursor, unpackCursor } from '../db/keyset.ts'
import { read } from '../db/write.ts'
import { byId, placeOfId } from '../files/created-queries.ts'
import { type Asked, readFilter, withRightsOfNow } from '../files/find/list.ts'
import { type Listing, placeOf } from '../files/find/page.ts'
import { ALL_TIMES } from '../files/find/range.ts'
import type { Pools } from '../files/overview/listing.ts'
import { presentPage } from '../files/present.ts'
import { type JsonText, jsonArray } from '../http/json.ts'
import type { PoolRecord } from './queries.ts'
import { keysFrom, positionsOf, positionsOfKeys } from './ranks.ts'
import type { PoolFileCursorPage, PoolFilesQuery } from './schema.ts'
import { findInPool, heldNow, type PoolWalk, walkPool } from './walk.ts'

/** The name that cursors carry for lists in the order of a pool. */
export const POOL_CURSOR = 'pool'
const CURSOR_KEYS = {
  manual: 'number',
  content_datetime: 'number',
  created: 'null',
  original_name: 'string',
} as const

/**
 * Returns a page of the files of a pool, in its active sort. Throws a validation error for a wrong filter or cursor
 * before `load` looks up the pool, and afterwards for a cursor of another sort or order than the active one.
 */
export async function listPoolFiles(
  db: Db,
  viewer: User,
  load: (viewer: User) => PoolRecord,
  query: PoolFilesQuery,
): Promise<JsonText<PoolFileCursorPage>> {
  const ask = (now: User): PoolWalk => {
    const tree = readFilter(db, now, query.filter ?? '')
    if (query.cursor !== undefined) readCursor(query.cursor)
    return walkOf(now, load(now), { tree, search: '', range: ALL_TIMES, trash: false })
  }
  return withRightsOfNow(db, viewer, ask, (walk) => pageOfPool(db, walk, query))
}

async function pageOfPool(
  db: Db,
  walk: PoolWalk,
  query: PoolFilesQuery,
): Promise<JsonText<PoolFileCursorPage>> {
  const { viewer } = walk
  const cursor = query.cursor === undefined ? null : readCursor(query.cursor)
  const place = startOf(db, walk, cursor)
  const found = await walkPool(db, walk, { place, direction: 'forward', limit: query.limit + 1 })
  const wanted = found.slice(0, query.limit)
  // Nothing else runs and no other process writes in here, so the positions match the files.
  const { files, last } = read(db, () => {
    const rids = wanted.map((entry) => entry.rid)
    const positions = new Map(
      positionsOf(db, walk.pool.rid, rids).map(({ file, position }) => [file, position]),
    )
    // Some files may have left the pool since they were found.
    const held = wanted.filter(({ rid }) => positions.has(rid))
    const more = (rid: number) => ({ position: positions.get(rid)! })
    const shown = held.map((entry) => entry.rid)
    const { files, taken } = presentPage(db, viewer, shown, { more })
    return { files, last: taken < held.length ? held[taken - 1] : wanted.at(-1) }
  })
  const goesOn = last !== undefined && last !== found.at(-1)
  const next = goesOn ? JSON.stringify(cursorAt(db, walk, placeOf(last, 'after'))) : 'null'
  return `{"items":${jsonArray(files)},"next_cursor":${next}}`
}

/**
 * Returns the files of a pool that match the query, in the pool's active sort, and the place of a cursor. Throws a
 * validation error for the cursor, and what `load` throws.
 */
export function openPoolList(
  db: Db,
  viewer: User,
  { load, cursor: text }: { load: () => PoolRecord; cursor: string | undefined },
  asked: Asked,
): ReturnType<Pools['list']> {
  const cursor = text === undefined ? null : readCursor(text)
  const pool = load()
  const walk = walkOf(viewer, pool, asked)
  const place = startOf(db, walk, cursor)
  const listing: Listing = {
    walk: (part) => walkPool(db, walk, part),
    find: (rid) => findInPool(db, walk, rid),
    cursorAt: (place) => cursorAt(db, walk, place),
  }
  const byCreation = pool.sort_key === 'created'
  return { listing, place, rid: pool.rid, byCreation }
}

function walkOf(viewer: User, { rid, sort_key, sort_order }: PoolRecord, asked: Asked): PoolWalk {
  const order = sort_key === 'manual' ? 'asc' : sort_order
  return { viewer, pool: { rid, sort_key }, order, ...asked }
}

// A cursor holds the position in the manual order, since the key there may have changed by the next request.
function cursorAt(db: Db, { pool, order }: PoolWalk, place: Place): string {
  const told = toldPlace(db, pool, place)
  return packCursor(POOL_CURSOR, { sort: pool.sort_key, order, place: told })
}

function toldPlace(db: Db, pool: PoolWalk['pool'], place: Place): Place {
  switch (pool.sort_key) {
    case 'manual':
      return { ...place, key: positionAt(db, pool, Number(place.key)) }
    case 'created':
      return byId(place)
    default:
      return place
  }
}

function positionAt(db: Db, pool: PoolWalk['pool'], key: number): number {
  return positionsOfKeys(db, pool.rid, [key]).get(key)!
}

function readCursor(text: string): Cursor<PoolSortKey> {
  return unpackCursor<PoolSortKey>(POOL_CURSOR, CURSOR_KEYS, text)
}

/** Throws a validation error for a cursor of another sort or order than the pool's. */
function startOf(db: Db, walk: PoolWalk, cursor: Cursor<PoolSortKey> | null): Place | null {
  if (!cursor) return null
  const { pool, order } = walk
  const { place, sort } = cursor
  if (sort !== pool.sort_key || cursor.order !== order) {
    throw invalid('cursor', "belongs to another sort or order than the pool's")
  }
  if (sort === 'created') return placeOfId(db, cursor)
  if (sort !== 'manual') return place
  const held = heldNow(db, walk, place)
  if (held) return { ...place, key: held.order_key }
  // The next file has moved up to where this one was.
  const [key = Number.MAX_SAFE_INTEGER] = keysFrom(db, pool.rid, Number(place.key), 1)
  return { ...place, key, side: 'before' }
}
