import type { Db } from '../db/client.ts'
import { columnNames } from '../db/column-names.ts'
import { poolFiles } from '../db/schema/pools.ts'

const p = columnNames(poolFiles)

/** Where the keys begin of files that a write is about to place; these have no position. */
export const UNPLACED = '(1 << 60)'

/** A file of a pool at its position. */
export interface Ranked {
  file: number
  position: number
}

/** Returns how many files of a pool have a position. */
export function lengthOf(db: Db, pool: number): number {
  return db.get<{ files: number }>(
    `SELECT count(*) AS files FROM pool_files WHERE ${p.pool_rid} = ? AND ${p.order_key} < ${UNPLACED}`,
    pool,
  )!.files
}

/** Returns for each key how many files of the pool have a lower one. */
export function positionsOfKeys(db: Db, pool: number, keys: number[]): Map<number, number> {
  const ascending = keys.toSorted((x, y) => x - y)
  // From the key before it on, so that however many are asked for, each file is counted once.
  const stretches = ascending.map((key, n) => [ascending[n - 1] ?? Number.MIN_SAFE_INTEGER, key])
  const counts = db.all<{ files: number }>(
    `SELECT (SELECT count(*) FROM pool_files WHERE ${p.pool_rid} = ?
       AND ${p.order_key} >= value ->> 0 AND ${p.order_key} < value ->> 1) AS files
     FROM json_each(?) ORDER BY key`,
    pool,
    JSON.stringify(stretches),
  )
  let position = 0
  return new Map(
    ascending.map((key, n) => {
      position += counts[n]!.files
      return [key, position]
    }),
  )
}

/** Returns those of the files that are in the pool with their positions, by these. */
export function positionsOf(db: Db, pool: number, files: number[]): Ranked[] {
  const rows = db.all<Pick<typeof poolFiles.$inferSelect, 'file_rid' | 'order_key'>>(
    `SELECT ${p.file_rid}, ${p.order_key} FROM json_each(?) CROSS JOIN pool_files
     ON ${p.pool_rid} = ? AND ${p.file_rid} = value ORDER BY ${p.order_key}`,
    JSON.stringify(files),
    pool,
  )
  const keys = rows.map((row) => row.order_key)
  const positions = positionsOfKeys(db, pool, keys)
  return rows.map((row) => ({ file: row.file_rid, position: positions.get(row.order_key)! }))
}

/** Returns the keys from a position on, at most `limit`; the first file has the position 0. */
export function keysFrom(db: Db, pool: number, position: number, limit: number): number[] {
  return valuesFrom(db, p.order_key, { pool, position, limit })
}

/** Returns the files from a position on, at most `limit`, in their order. */
export function filesFrom(db: Db, pool: number, position: number, limit: number): number[] {
  return valuesFrom(db, p.file_rid, { pool, position, limit })
}

function valuesFrom(
  db: Db,
  column: string,
  { pool, position, limit }: { pool: number; position: number; limit: number },
): number[] {
  // As one text, they are read several times as quickly as row by row.
  const { list } = db.get<{ list: string }>(
    `SELECT json_group_array(${column}) AS list FROM (
       SELECT ${column} FROM pool_files WHERE ${p.pool_rid} = ? AND ${p.order_key} < ${UNPLACED}
       ORDER BY ${p.order_key} LIMIT ? OFFSET ?)`,
    pool,
    limit,
    position,
  )!
  return JSON.parse(list) as number[]
}
