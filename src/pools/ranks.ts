import type { Db } from '../db/client.ts'
import { columnNames } from '../db/columns.ts'
import { poolFiles } from '../db/schema/pools.ts'
import { numbersOf } from '../db/sql.ts'

const p = columnNames(poolFiles)

/** Where the keys of files begin that a write is about to place; these files have no position. */
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
  // Each stretch begins at the previous key, so that each file is counted once for any number of keys.
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

/** Returns those of the files that are in the pool with their positions, in that order. */
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

/** Returns at most `limit` keys from a position on; the first file has position 0. */
export function keysFrom(db: Db, pool: number, position: number, limit: number): number[] {
  return valuesFrom(db, p.order_key, { pool, position, limit })
}

/** Returns at most `limit` files from a position on, in their order. */
export function filesFrom(db: Db, pool: number, position: number, limit: number): number[] {
  return valuesFrom(db, p.file_rid, { pool, position, limit })
}

function valuesFrom(
  db: Db,
  column: string,
  { pool, position, limit }: { pool: number; position: number; limit: number },
): number[] {
  return numbersOf(db, {
    sql: `SELECT ${column} FROM pool_files WHERE ${p.pool_rid} = ? AND ${p.order_key} < ${UNPLACED}
          ORDER BY ${p.order_key} LIMIT ? OFFSET ?`,
    params: [pool, limit, position],
  })
}
