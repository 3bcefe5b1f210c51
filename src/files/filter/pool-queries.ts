import { createBoundedMap } from '../../bounded-map.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/column-names.ts'
import { perConnection } from '../../db/per-connection.ts'
import { cacheVersions } from '../../db/schema/caches.ts'
import { poolBlocks, poolFiles } from '../../db/schema/pools.ts'
import { type FileSet, setOf } from '../file-set.ts'

interface PoolSet {
  /** Of what all pools held when the set was read. */
  version: number
  files: FileSet
}

const CACHE_BYTES = 16 * 1024 * 1024

const cacheOf = perConnection(() =>
  createBoundedMap<number, PoolSet>(CACHE_BYTES, (set) => set.files.byteLength),
)

const p = columnNames(poolFiles)
const b = columnNames(poolBlocks)
const v = columnNames(cacheVersions)

/**
 * Returns the set of the files in a pool, trashed and hidden ones too. It is kept as long as no file comes
 * into a pool or leaves one, since to read 50,000 anew takes 5 ms.
 */
export function poolSet(db: Db, pool: number): FileSet {
  const version = versionOf(db)
  const known = cacheOf(db).get(pool)
  if (known?.version === version) return known.files
  const { rids } = db.get<{ rids: string }>(
    `SELECT json_group_array(${p.file_rid}) AS rids FROM pool_files WHERE ${p.pool_rid} = ?`,
    pool,
  )!
  const files = setOf(JSON.parse(rids) as number[])
  cacheOf(db).set(pool, { version, files })
  return files
}

/** Returns whether the set of a pool is kept already, so that nobody waits for it. */
export function isPoolAtHand(db: Db, pool: number): boolean {
  return cacheOf(db).get(pool)?.version === versionOf(db)
}

/** Returns a number that changes with the files of any pool. */
function versionOf(db: Db): number {
  return db.get<Pick<typeof cacheVersions.$inferSelect, 'version'>>(
    `SELECT ${v.version} FROM cache_versions WHERE ${v.name} = 'pool_files'`,
  )!.version
}

/** Returns how many files are in these pools, trashed and hidden ones too. */
export function countInPools(db: Db, pools: number[]): number {
  return db.get<{ files: number }>(
    `SELECT coalesce(sum(${b.files}), 0) AS files FROM pool_blocks
     WHERE ${b.pool_rid} IN (SELECT value FROM json_each(?))`,
    JSON.stringify(pools),
  )!.files
}
