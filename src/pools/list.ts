import type { PoolSortKey } from '../base/enums.ts'
import { invalid } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { type Cursor, type Place, packCursor, unpackCursor } from '../db/keyset.ts'
import { read } from '../db/write.ts'
import { byId, placeOfId } from '../files/created-queries.ts'
import { countListed, ranksOf } from '../files/find/far.ts'
import {
  type Asked,
  filesListed,
  readFilter,
  readStoredFilter,
  settled,
  withRightsOfNow,
} from '../files/find/list.ts'
import type { Members } from '../files/find/members.ts'
import { type Part, placeOf } from '../files/find/page.ts'
import type { FileList } from '../files/find/query.ts'
import { ALL_TIMES } from '../files/find/range.ts'
import { keyNow } from '../files/find/statement.ts'
import { both } from '../files/find/tree.ts'
import type { Opened, Pools } from '../files/overview/listing.ts'
import { presentPage } from '../files/present.ts'
import { type JsonText, jsonArray } from '../http/json.ts'
import { loadPool, type PoolRecord } from './queries.ts'
import { keysFrom, positionsOf, positionsOfKeys } from './ranks.ts'
import type { PoolFileCursorPage, PoolFilesQuery } from './schema.ts'

/** The name that cursors carry for lists in the order of a pool. */
const POOL_CURSOR = 'pool'
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
  const ask = (now: User): Lists => {
    const tree = readFilter(db, now, query.filter ?? '')
    if (query.cursor !== undefined) readCursor(query.cursor)
    const whole = { tree: null, search: '', range: ALL_TIMES, trash: false }
    const all = poolList(db, now, load(now), whole)
    return { all, list: { ...all, tree: both(all.tree, tree) } }
  }
  return withRightsOfNow(db, viewer, ask, (lists) => pageOfPool(db, lists, query))
}

/** The files of a pool that its viewer sees, and those of them that match a query. */
interface Lists {
  all: FileList
  list: FileList
}

async function pageOfPool(
  db: Db,
  { all, list }: Lists,
  query: PoolFilesQuery,
): Promise<JsonText<PoolFileCursorPage>> {
  const { viewer, pool } = list
  const place = startOf(db, list, query.cursor)
  const part: Part = { place, direction: 'forward', limit: query.limit + 1 }
  const ranked = pool === null ? await walkRanked(db, { all, list }, part) : null
  const found = ranked?.found ?? (await filesListed(db, list).walk(part))
  const wanted = found.slice(0, query.limit)
  // Nothing else runs and no other process writes in here, so the positions match the files.
  const { files, last } = read(db, () => {
    const rids = wanted.map((entry) => entry.rid)
    const positions = ranked?.positions ?? positionsInPool(db, pool!, rids)
    // Some files may have left the pool since they were found.
    const held = wanted.filter(({ rid }) => positions.has(rid))
    const more = (rid: number) => ({ position: positions.get(rid)! })
    const shown = held.map((entry) => entry.rid)
    const { files, taken } = presentPage(db, viewer, shown, { more })
    return { files, last: taken < held.length ? held[taken - 1] : wanted.at(-1) }
  })
  const goesOn = last !== undefined && last !== found.at(-1)
  const next = goesOn ? JSON.stringify(cursorAt(db, list, placeOf(last, 'after'))) : 'null'
  return `{"items":${jsonArray(files)},"next_cursor":${next}}`
}

function positionsInPool(db: Db, pool: number, rids: number[]): Map<number, number> {
  return new Map(positionsOf(db, pool, rids).map(({ file, position }) => [file, position]))
}

/** Returns the files of a part of a pool that fills itself, and their places among all that the viewer sees there. */
async function walkRanked(db: Db, { all, list }: Lists, part: Part) {
  let positions = new Map<number, number>()
  const found = await settled(db, {
    async find() {
      const found = await filesListed(db, list).walk(part)
      const rids = found.map(({ rid }) => rid)
      const isFirst = part.place === null && all.tree === list.tree
      const places = isFirst ? [...rids.keys()] : await ranksOf(db, { list: all, rids })
      positions = new Map(rids.flatMap((rid, n) => (places[n]! < 0 ? [] : [[rid, places[n]!]])))
      return found
    },
    count: (rids) => countListed(db, list, rids),
  })
  return { found, positions }
}

/** Returns a list limited to the files of a pool: of one that fills itself, to those that match its filter. */
function inPool<List extends Pick<FileList, 'pool' | 'tree'>>(
  db: Db,
  viewer: User,
  { rid, filter }: Pick<PoolRecord, 'rid' | 'filter'>,
  list: List,
): List {
  if (filter === null) return { ...list, pool: rid }
  return { ...list, tree: both(readStoredFilter(db, viewer, filter), list.tree) }
}

/** Returns what the lists of files need of pools. */
export function poolsOf(db: Db): Pools {
  return {
    cursorName: POOL_CURSOR,
    narrow: (viewer, id, list) => inPool(db, viewer, loadPool(db, viewer, id, 'view'), list),
    list: (viewer, { id, cursor }, asked) => {
      const load = () => loadPool(db, viewer, id, 'view')
      return openPoolList(db, viewer, { load, cursor }, asked)
    },
  }
}

/** Returns which files of a pool its viewer sees, without those in the trash. */
export function allOf(db: Db, viewer: User, pool: PoolRecord): Members {
  const all = { tree: null, search: '', range: ALL_TIMES, trash: false }
  return inPool(db, viewer, pool, { viewer, sort: 'created', pool: null, ...all })
}

/**
 * Returns the files of a pool that match the query, in the pool's active sort, and the place of a cursor. Throws a
 * validation error for the cursor, and what `load` throws.
 */
function openPoolList(
  db: Db,
  viewer: User,
  { load, cursor }: { load: () => PoolRecord; cursor: string | undefined },
  asked: Asked,
): Opened {
  if (cursor !== undefined) readCursor(cursor)
  const list = poolList(db, viewer, load(), asked)
  const listing = {
    ...filesListed(db, list),
    cursorAt: (place: Place) => cursorAt(db, list, place),
  }
  return { listing, place: startOf(db, list, cursor), list }
}

function poolList(db: Db, viewer: User, pool: PoolRecord, asked: Asked): FileList {
  const { sort_key, sort_order } = pool
  const order = sort_key === 'manual' ? 'asc' : sort_order
  return inPool(db, viewer, pool, { viewer, sort: sort_key, order, pool: null, ...asked })
}

// A cursor holds the position in the manual order, since the key there may have changed by the next request.
function cursorAt(db: Db, list: FileList, place: Place): string {
  const { sort, order } = list
  return packCursor(POOL_CURSOR, { sort, order, place: shownPlace(db, list, place) })
}

function shownPlace(db: Db, { sort, pool }: FileList, place: Place): Place {
  switch (sort) {
    case 'manual': {
      const key = Number(place.key)
      return { ...place, key: positionsOfKeys(db, pool!, [key]).get(key)! }
    }
    case 'created':
      return byId(place)
    default:
      return place
  }
}

function readCursor(text: string): Cursor<PoolSortKey> {
  return unpackCursor<PoolSortKey>(POOL_CURSOR, CURSOR_KEYS, text)
}

/** Throws a validation error for a cursor of another sort or order than the pool's. */
function startOf(db: Db, list: FileList, text: string | undefined): Place | null {
  if (text === undefined) return null
  const cursor = readCursor(text)
  const { place, sort } = cursor
  if (sort !== list.sort || cursor.order !== list.order) {
    throw invalid('cursor', "belongs to another sort or order than the pool's")
  }
  if (sort === 'created') return placeOfId(db, cursor)
  if (sort !== 'manual') return place
  const held = keyNow(db, list, place.id)
  if (held !== undefined) return { ...place, key: held }
  // The next file has moved up to where this one was.
  const [key = Number.MAX_SAFE_INTEGER] = keysFrom(db, list.pool!, Number(place.key), 1)
  return { ...place, key, side: 'before' }
}
