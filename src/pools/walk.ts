import { accessCondition } from '../acl/access.ts'
import { seenNow } from '../auth/seen-now.ts'
import type { SortOrder } from '../base/enums.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { blobToUuid, columnNames, uuidToBlob } from '../db/columns.ts'
import type { Direction, Place } from '../db/keyset.ts'
import { files } from '../db/schema/files.ts'
import { poolFiles } from '../db/schema/pools.ts'
import { and, type Sql } from '../db/sql.ts'
import { matchingAmong } from '../files/find/by-tags.ts'
import { type Asked, filesListed, settled } from '../files/find/list.ts'
import type { Part } from '../files/find/page.ts'
import { LEAVES_TO_PROBE } from '../files/find/plan.ts'
import { probe } from '../files/find/probe.ts'
import { type FileList, namedLike } from '../files/find/query.ts'
import { betweenTimes } from '../files/find/range.ts'
import type { Entry } from '../files/find/statement.ts'
import { countLeaves } from '../files/find/tree.ts'
import { question } from '../reader/question.ts'
import { countInPools, type PoolRecord } from './queries.ts'

/** The files of a pool to list, and their order. */
export interface PoolWalk extends Asked {
  viewer: User
  pool: Pick<PoolRecord, 'rid' | 'sort_key'>
  order: SortOrder
}

/** The most files of a pool that are checked at once; more are left to the reader. */
const STRETCH = 2000

const f = columnNames(files, 'f')
const p = columnNames(poolFiles, 'p')

type Keyed = Pick<typeof poolFiles.$inferSelect, 'order_key'>

/** Returns the next files of a pool that match the query; in the manual order, their keys are order keys. */
export function walkPool(db: Db, walk: PoolWalk, part: Part): Promise<Entry[]> {
  const list = sortedList(walk)
  return list ? filesListed(db, list).walk(part) : walkManual(db, walk, part)
}

/** Returns the entry of a file, or undefined if it isn't in the list. */
export function findInPool(db: Db, walk: PoolWalk, rid: number): Entry | undefined {
  const list = sortedList(walk)
  if (list) return filesListed(db, list).find(rid)
  return entriesAmong(db, walk, { place: null, direction: 'forward', limit: 1 }, [rid])[0]
}

// A pool that isn't in manual order is a part of the list of all files; null for one that is.
function sortedList({ pool, ...asked }: PoolWalk): FileList | null {
  return pool.sort_key === 'manual' ? null : { ...asked, sort: pool.sort_key, pool: pool.rid }
}

// A statement can check a file against only a few leaves.
function isAskedOneByOne({ tree }: PoolWalk): boolean {
  return !tree || countLeaves(tree) <= LEAVES_TO_PROBE
}

async function walkManual(db: Db, walk: PoolWalk, part: Part): Promise<Entry[]> {
  const { rid, sort_key } = walk.pool
  const near = entriesFrom(db, walk, part, STRETCH)
  if (near.length === part.limit) return near
  if (countInPools(db, [rid], STRETCH + 1) <= STRETCH) return near
  return settled(db, {
    find: () => walkWhole(db, { ...walk, pool: { rid, sort_key }, part }),
    count: (rids) =>
      entriesAmong(db, seenNow(db, walk), { ...part, limit: rids.length }, rids).length,
  })
}

export const walkWhole = question(
  'page',
  'pool',
  (db: Db, asked: PoolWalk & { part: Part }): Entry[] => {
    const { part, ...walk } = seenNow(db, asked)
    return entriesFrom(db, walk, part, Number.MAX_SAFE_INTEGER)
  },
)

function entriesFrom(db: Db, walk: PoolWalk, part: Part, rows: number): Entry[] {
  const { sql, params } = partOf(db, walk, part)
  return entries(db, walk, part, {
    sql: `(SELECT ${p.file_rid}, ${p.order_key} FROM pool_files p WHERE ${sql} LIMIT ?) p`,
    params: [...params, rows],
  })
}

function entriesAmong(db: Db, walk: PoolWalk, part: Part, rids: number[]): Entry[] {
  return entries(db, walk, part, {
    sql: `(SELECT ${p.file_rid}, ${p.order_key} FROM json_each(?) j
           CROSS JOIN pool_files p ON ${p.pool_rid} = ? AND ${p.file_rid} = j.value) p`,
    params: [JSON.stringify(rids), walk.pool.rid],
  })
}

function entries(db: Db, walk: PoolWalk, { direction, limit }: Part, source: Sql): Entry[] {
  const { viewer, trash, search, range, tree } = walk
  const isProbed = isAskedOneByOne(walk)
  const where = and([
    { sql: `${f.is_deleted} = ?`, params: [Number(trash)] },
    accessCondition(viewer, 'file', 'view', 'f'),
    ...betweenTimes(f.content_datetime, range),
    ...namedLike(search),
    ...(tree && isProbed ? [probe(tree, viewer)] : []),
  ])
  const found = db
    .all<Pick<Entry, 'rid' | 'key'> & { id: Uint8Array }>(
      `SELECT ${f.rid}, ${f.id}, ${p.order_key} AS key
       FROM ${source.sql} CROSS JOIN files f ON ${f.rid} = ${p.file_rid}
       WHERE ${where.sql} ORDER BY ${p.order_key} ${WORDS[direction]} LIMIT ?`,
      ...source.params,
      ...where.params,
      isProbed ? limit : -1,
    )
    .map((row) => ({ ...row, id: blobToUuid(row.id) }))
  return tree && !isProbed ? matchingAmong(db, tree, viewer, found).slice(0, limit) : found
}

const WORDS: Record<Direction, string> = { forward: 'ASC', backward: 'DESC' }

function partOf(db: Db, walk: PoolWalk, { place, direction }: Part): Sql {
  const from = place ? [fromPlace(placeNow(db, walk, place), direction)] : []
  const where = and([{ sql: `${p.pool_rid} = ?`, params: [walk.pool.rid] }, ...from])
  return { ...where, sql: `${where.sql} ORDER BY ${p.order_key} ${WORDS[direction]}` }
}

function fromPlace({ key, side }: Place, direction: Direction): Sql {
  // Keys are unique, so their index alone finds the place.
  const [isAfter, isBefore] = direction === 'forward' ? ['>', '>='] : ['<=', '<']
  return { sql: `${p.order_key} ${side === 'after' ? isAfter : isBefore} ?`, params: [key] }
}

// The file of a place may have moved, or be gone.
function placeNow(db: Db, walk: PoolWalk, place: Place): Place {
  const held = heldNow(db, walk, place)
  return held ? { ...place, key: held.order_key } : { ...place, side: 'before' }
}

/** Returns where the file of a place is in the manual order, if the viewer sees it there. */
export function heldNow(db: Db, { viewer, pool }: PoolWalk, place: Place): Keyed | undefined {
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
