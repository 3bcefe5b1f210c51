import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/column-names.ts'
import { keptMap } from '../../db/kept.ts'
import { cacheVersions } from '../../db/schema/caches.ts'
import { poolFiles } from '../../db/schema/pools.ts'
import { countAmong, type FileSet, type PackedFiles, packFiles, unpacked } from '../file-set.ts'

interface PoolContents extends PackedFiles {
  /** Of what all pools held when they were read. */
  version: number
}

const cacheOf = keptMap<number, PoolContents>(({ files }) => files.byteLength)

const p = columnNames(poolFiles)
const v = columnNames(cacheVersions)

/**
 * Returns the set of the files in a pool, trashed and hidden ones too. Within a write, only before that
 * changes what pools hold: after a rollback, what was kept would pass for what the next write makes of them.
 */
export function poolSet(db: Db, pool: number): FileSet {
  return unpacked(contentsOf(db, pool))
}

/** Returns how many files of a pool are in a set. */
export function countInPool(db: Db, pool: number, among: FileSet): number {
  return countAmong(contentsOf(db, pool), among)
}

/** What a pool holds is kept as long as no file comes into one or leaves one: 50,000 take 5 ms to read. */
function contentsOf(db: Db, pool: number): PoolContents {
  const version = versionOf(db)
  const known = cacheOf(db).get(pool)
  if (known?.version === version) return known
  const { rids } = db.get<{ rids: string }>(
    `SELECT json_group_array(${p.file_rid}) AS rids FROM pool_files WHERE ${p.pool_rid} = ?`,
    pool,
  )!
  const read = { version, ...packFiles([JSON.parse(rids)]) }
  cacheOf(db).set(pool, read)
  return read
}

/** Returns a number that changes with the files of any pool. */
function versionOf(db: Db): number {
  return db.get<Pick<typeof cacheVersions.$inferSelect, 'version'>>(
    `SELECT ${v.version} FROM cache_versions WHERE ${v.name} = 'pool_files'`,
  )!.version
}

/**
 * Returns how many files are in these pools, trashed and hidden ones too; `most` where they are more, which
 * are then not counted.
 */
export function countInPools(db: Db, pools: number[], most = Number.MAX_SAFE_INTEGER): number {
  return db.get<{ files: number }>(
    `SELECT count(*) AS files FROM (SELECT 1 FROM pool_files
       WHERE ${p.pool_rid} IN (SELECT value FROM json_each(?)) LIMIT ?)`,
    JSON.stringify(pools),
    most,
  )!.files
}
