import { accessCondition, type Right, requireAllowed } from '../acl/access.ts'
import type { Db } from '../db/client.ts'
import { blobToUuid, uuidToBlob } from '../db/columns.ts'
import { type NamedListRequest, namedList } from '../db/named-list.ts'
import { fold } from '../db/text.ts'
import type { PoolSortKey, SortOrder } from '../enums.ts'
import type { User } from '../user.ts'

export interface PoolRecord {
  rid: number
  id: string
  name: string
  notes: string | null
  /** JSON text. */
  metadata: string | null
  creator_id: number
  creator_name: string
  is_public: boolean
  sort_key: PoolSortKey
  sort_order: SortOrder
}

interface RawPool extends Omit<PoolRecord, 'id' | 'is_public'> {
  id: Uint8Array
  is_public: number
}

const COLUMNS =
  'p.rid, p.id, p.name, p.notes, p.metadata, p.creator_id, u.name AS creator_name, p.is_public, p.sort_key, p.sort_order'
const FROM = 'FROM pools p JOIN users u ON u.id = p.creator_id'

function toRecord({ allowed: _, ...row }: RawPool & { allowed?: number }): PoolRecord {
  return { ...row, id: blobToUuid(row.id), is_public: row.is_public === 1 }
}

/** Returns a pool that the user has the right to. Throws not_found, or forbidden without it. */
export function loadPool(db: Db, user: User, id: string, right: Right): PoolRecord {
  const allowed = accessCondition(user, 'pool', right, 'p')
  return toRecord(
    requireAllowed(
      db.get<RawPool & { allowed: number }>(
        `SELECT ${COLUMNS}, ${allowed.sql} AS allowed ${FROM} WHERE p.id = ?`,
        ...allowed.params,
        uuidToBlob(id),
      ),
      'pool',
    ),
  )
}

/** Returns a page of the pools that the viewer may view, and how many there are in all. */
export function listPools(
  db: Db,
  viewer: User,
  query: NamedListRequest,
): { rows: PoolRecord[]; total: number } {
  const visible = accessCondition(viewer, 'pool', 'view', 'p')
  const page = namedList<RawPool>(db, { columns: COLUMNS, from: FROM, alias: 'p', visible, query })
  return { ...page, rows: page.rows.map(toRecord) }
}

/** Returns how many files of each pool the viewer may view, not counting trashed ones. */
export function countPoolFiles(db: Db, viewer: User, pools: number[]): Map<number, number> {
  const visible = accessCondition(viewer, 'file', 'view', 'f')
  const rows = db.all<{ pool_rid: number; files: number }>(
    `SELECT j.value AS pool_rid, (
       SELECT count(*) FROM pool_files p CROSS JOIN files f ON f.rid = p.file_rid
       WHERE p.pool_rid = j.value AND f.is_deleted = 0 AND ${visible.sql}) AS files
     FROM json_each(?) j`,
    ...visible.params,
    JSON.stringify(pools),
  )
  return new Map(rows.map((row) => [row.pool_rid, row.files]))
}

type Fields = Pick<PoolRecord, 'name' | 'notes' | 'metadata' | 'is_public'>

/** Writes a new pool in manual order. */
export function insertPool(db: Db, pool: Fields & Pick<PoolRecord, 'id' | 'creator_id'>): void {
  db.run(
    `INSERT INTO pools (id, name, name_key, notes, metadata, creator_id, is_public, sort_key, sort_order)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'manual', 'asc')`,
    uuidToBlob(pool.id),
    pool.name,
    fold(pool.name),
    pool.notes,
    pool.metadata,
    pool.creator_id,
    Number(pool.is_public),
  )
}

/** Writes the columns of a pool that can change. */
export function updatePool(
  db: Db,
  rid: number,
  pool: Fields & Pick<PoolRecord, 'sort_key' | 'sort_order'>,
): void {
  db.run(
    'UPDATE pools SET name = ?, name_key = ?, notes = ?, metadata = ?, is_public = ?, sort_key = ?, sort_order = ? WHERE rid = ?',
    pool.name,
    fold(pool.name),
    pool.notes,
    pool.metadata,
    Number(pool.is_public),
    pool.sort_key,
    pool.sort_order,
    rid,
  )
}

/** Deletes a pool; its files stay. Returns how many it had. */
export function deletePool(db: Db, rid: number): number {
  const { files } = db.get<{ files: number }>(
    'SELECT count(*) AS files FROM pool_files WHERE pool_rid = ?',
    rid,
  )!
  db.run('DELETE FROM pools WHERE rid = ?', rid)
  return files
}

/** Records that a user viewed a pool. */
export function recordPoolView(db: Db, pool_rid: number, user_id: number, now: number): void {
  db.run(
    'INSERT INTO pool_views (pool_rid, user_id, viewed_at) VALUES (?, ?, ?)',
    pool_rid,
    user_id,
    now,
  )
}
