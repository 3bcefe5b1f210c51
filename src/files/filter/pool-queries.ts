import { createBoundedMap } from '../../bounded-map.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/column-names.ts'
import { perConnection } from '../../db/per-connection.ts'
import { poolBlocks, poolFiles } from '../../db/schema/pools.ts'
import { stateOf } from '../../db/state.ts'
import { type FileSet, setOf } from '../file-set.ts'

interface PoolSet {
  /** Of the database, when the set was read. */
  state: string
  files: FileSet
}

const CACHE_BYTES = 16 * 1024 * 1024

const cacheOf = perConnection(() =>
  createBoundedMap<number, PoolSet>(CACHE_BYTES, (set) => set.files.byteLength),
)

const p = columnNames(poolFiles)
const b = columnNames(poolBlocks)

/**
 * Returns the set of the files in a pool, trashed and hidden ones too. It is kept as long as nothing is
 * written, since to read 50,000 files anew takes 5 ms.
 */
export function poolSet(db: Db, pool: number): FileSet {
  const cache = cacheOf(db)
  const state = stateOf(db)
  const known = cache.get(pool)
  if (known?.state === state) return known.files
  const { rids } = db.get<{ rids: string }>(
    `SELECT json_group_array(${p.file_rid}) AS rids FROM pool_files WHERE ${p.pool_rid} = ?`,
    pool,
  )!
  const files = setOf(JSON.parse(rids) as number[])
  cache.set(pool, { state, files })
  return files
}

/** Returns how many files are in these pools, trashed and hidden ones too. */
export function countInPools(db: Db, pools: number[]): number {
  return db.get<{ files: number }>(
    `SELECT coalesce(sum(${b.files}), 0) AS files FROM pool_blocks
     WHERE ${b.pool_rid} IN (SELECT value FROM json_each(?))`,
    JSON.stringify(pools),
  )!.files
}
