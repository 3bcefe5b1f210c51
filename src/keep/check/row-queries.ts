import type { ObjectType } from '../../base/enums.ts'
import type { Db } from '../../db/client.ts'
import { blobToUuid, columnNames } from '../../db/columns.ts'
import { acl } from '../../db/schema/acl.ts'
import { longChanges } from '../../db/schema/background.ts'
import { cacheVersions } from '../../db/schema/caches.ts'
import { duplicateDismissals, duplicatePairs } from '../../db/schema/duplicates.ts'
import { fileDetails, files } from '../../db/schema/files.ts'
import { removals } from '../../db/schema/library.ts'
import { poolFiles, pools } from '../../db/schema/pools.ts'
import { users } from '../../db/schema/users.ts'
import type { Tx } from '../../db/write.ts'
import { UNPLACED } from '../../pools/ranks.ts'

const f = columnNames(files, 'f')
const d = columnNames(fileDetails, 'd')
const r = columnNames(removals, 'r')

/**
 * Returns the pools in which two files have the same order key, or one has none. Scans the table, not the index on the
 * order, which claims to have no such keys, whatever is in the table.
 */
export function poolsWithoutOrder(db: Db): { rid: number; id: string }[] {
  const k = columnNames(poolFiles)
  const p = columnNames(pools)
  const rows = db.all<{ rid: number; id: Uint8Array }>(
    `SELECT ${p.rid}, ${p.id} FROM (
       SELECT ${k.pool_rid} AS pool FROM pool_files INDEXED BY sqlite_autoindex_pool_files_1 GROUP BY ${k.pool_rid}
       HAVING count(DISTINCT ${k.order_key}) < count(*) OR max(${k.order_key}) >= ${UNPLACED})
     JOIN pools ON ${p.rid} = pool ORDER BY ${p.rid}`,
  )
  return rows.map(({ rid, id }) => ({ rid, id: blobToUuid(id) }))
}

/** Returns the pools that fill themselves, with their filters and, 1 or 0, whether each also holds files of its own. */
export function smartPools(db: Db): { id: string; filter: string; has_files: number }[] {
  const p = columnNames(pools, 'p')
  const rows = db.all<{ id: Uint8Array; filter: string; has_files: number }>(
    `SELECT ${p.id} AS id, ${p.filter} AS filter,
       EXISTS (SELECT 1 FROM pool_files k WHERE ${columnNames(poolFiles, 'k').pool_rid} = ${p.rid}) AS has_files
     FROM pools p WHERE ${p.filter} IS NOT NULL ORDER BY ${p.rid}`,
  )
  return rows.map((row) => ({ ...row, id: blobToUuid(row.id) }))
}

/** Returns how many pairs of each table don't begin with the lower number. */
export function turnedPairs(db: Db): { table: string; rows: number }[] {
  const n = columnNames(duplicateDismissals)
  const g = columnNames(duplicatePairs)
  return db.all(
    `SELECT * FROM (
       SELECT 'duplicate_dismissals' AS "table", count(*) AS rows FROM duplicate_dismissals
       WHERE ${n.file_rid_a} >= ${n.file_rid_b}
       UNION ALL
       SELECT 'duplicate_pairs', count(*) FROM duplicate_pairs WHERE ${g.group_a} >= ${g.group_b})
     WHERE rows > 0`,
  )
}

/** Returns the ids of the files that have no row about their content. */
export function filesWithoutDetails(db: Db): string[] {
  const rows = db.all<{ id: Uint8Array }>(
    `SELECT ${f.id} AS id FROM files f
     WHERE NOT EXISTS (SELECT 1 FROM file_details d WHERE ${d.file_rid} = ${f.rid}) ORDER BY ${f.rid}`,
  )
  return rows.map(({ id }) => blobToUuid(id))
}

const TABLES: Record<ObjectType, string> = {
  file: 'files',
  tag: 'tags',
  category: 'categories',
  pool: 'pools',
}

/** Returns how many entries of access lists are for objects that aren't there. */
export function strayPermissions(db: Db): { type: string; entries: number }[] {
  const a = columnNames(acl)
  return Object.entries(TABLES).flatMap(([type, table]) => {
    const { entries } = db.get<{ entries: number }>(
      `SELECT count(*) AS entries FROM acl WHERE ${a.object_type} = '${type}'
       AND NOT EXISTS (SELECT 1 FROM ${table} WHERE rid = ${a.object_rid})`,
    )!
    return entries === 0 ? [] : [{ type, entries }]
  })
}

const { kind, state } = columnNames(longChanges)

// A change under way may not yet have taken what it will take.
const UNGROUNDED = `a.pool_rid <> 0
  AND a.pool_rid NOT IN (SELECT ${state} ->> 'pool' FROM long_changes WHERE ${kind} = 'share_pool')
  AND (a.object_type <> 'file' OR a.can_edit = 1
    OR NOT EXISTS (SELECT 1 FROM pools p JOIN pool_files m ON m.pool_rid = p.rid
      WHERE p.rid = a.pool_rid AND p.shares_files = 1 AND m.file_rid = a.object_rid)
    OR NOT EXISTS (SELECT 1 FROM acl e WHERE e.user_id = a.user_id AND e.object_type = 'pool'
      AND e.object_rid = a.pool_rid AND e.pool_rid = 0 AND e.can_view = 1))`

/**
 * Returns through which pools people have rights to files without a reason: the file isn't in the pool, the pool
 * doesn't share its files or not with them, or they may even edit it.
 */
export function ungroundedPermissions(db: Db): { pool: number; entries: number }[] {
  return db.all(
    `SELECT a.pool_rid AS pool, count(*) AS entries FROM acl a WHERE ${UNGROUNDED} GROUP BY a.pool_rid`,
  )
}

/** Removes these entries. */
export function removeUngrounded(tx: Tx): void {
  tx.run(
    `DELETE FROM acl WHERE (user_id, object_type, object_rid, pool_rid) IN (
       SELECT a.user_id, a.object_type, a.object_rid, a.pool_rid FROM acl a WHERE ${UNGROUNDED})`,
  )
}

/** Returns the contents that are queued for removal although a file has them, with its id. */
export function removalsOfKnown(db: Db): { blob: string; id: string }[] {
  const rows = db.all<{ blob: string; id: Uint8Array }>(
    `SELECT ${r.blob} AS blob, ${f.id} AS id FROM removals r JOIN file_details d ON ${d.blob} = ${r.blob}
     JOIN files f ON ${f.rid} = ${d.file_rid} ORDER BY ${r.blob}`,
  )
  return rows.map(({ blob, id }) => ({ blob, id: blobToUuid(id) }))
}

/** Takes the contents of files out of the queue for removal. */
export function keepKnown(tx: Tx): void {
  const { blob } = columnNames(removals)
  tx.run(`DELETE FROM removals WHERE ${blob} IN (SELECT ${d.blob} FROM file_details d)`)
}

/** The versions that triggers renew, if they are there. */
export const CACHES = ['contents', 'duplicates', 'proposals', 'tags']

/** Returns which of the versions are missing by which other processes learn of changes. */
export function missingVersions(db: Db): string[] {
  const { name } = columnNames(cacheVersions)
  const rows = db.all<{ name: string }>(
    `SELECT value AS name FROM json_each(?) WHERE value NOT IN (SELECT ${name} FROM cache_versions)`,
    JSON.stringify(CACHES),
  )
  return rows.map((row) => row.name)
}

export function addVersion(tx: Tx, name: string): void {
  const c = columnNames(cacheVersions)
  tx.run(
    `INSERT INTO cache_versions (${c.name}, ${c.version}) VALUES (?, abs(random() % 9007199254740991))`,
    name,
  )
}

/** Returns whether an admin can sign in. */
export function hasActiveAdmin(db: Db): boolean {
  const u = columnNames(users)
  return (
    db.get(
      `SELECT 1 FROM users WHERE ${u.is_admin} = 1 AND ${u.is_blocked} = 0 AND ${u.is_deleted} = 0`,
    ) !== undefined
  )
}
