import { columnNames } from '../db/column-names.ts'
import { poolFiles } from '../db/schema/pools.ts'
import type { Tx } from '../db/write.ts'

const p = columnNames(poolFiles)

type Row = typeof poolFiles.$inferSelect

// SQLite checks UNIQUE row by row, so positions change in two steps: first to the negative of the
// new position (less one, since zero has no negative), then all at once to the new position itself.
const SETTLE = `UPDATE pool_files SET ${p.position} = -1 - ${p.position} WHERE ${p.pool_rid} = ? AND ${p.position} < 0`
// An upsert, since an UPDATE with a FROM may look at every pair of a row and a new position.
const UPSERT = `ON CONFLICT (${p.pool_rid}, ${p.file_rid}) DO UPDATE SET ${p.position} = excluded.${p.position}`

/**
 * Inserts files that aren't in the pool at a position, in the order given; the files from there on
 * move back. A position past the end appends. Returns the position of the first.
 */
export function insertAt(tx: Tx, pool: number, files: number[], position: number): number {
  const { length } = tx.get<{ length: number }>(
    `SELECT count(*) AS length FROM pool_files WHERE ${p.pool_rid} = ?`,
    pool,
  )!
  const first = Math.min(position, length)
  tx.run(
    `UPDATE pool_files SET ${p.position} = -1 - (${p.position} + ?) WHERE ${p.pool_rid} = ? AND ${p.position} >= ?`,
    files.length,
    pool,
    first,
  )
  tx.run(SETTLE, pool)
  tx.run(
    `INSERT INTO pool_files (${p.pool_rid}, ${p.file_rid}, ${p.position}) SELECT ?, value, ? + key FROM json_each(?)`,
    pool,
    first,
    JSON.stringify(files),
  )
  return first
}

/**
 * Inserts files that aren't in the pool, each before the file that has its position now, in one pass from
 * the last place to the first; the places ascend.
 */
export function insertEach(
  tx: Tx,
  pool: number,
  places: { file: number; position: number }[],
): void {
  let end = Number.MAX_SAFE_INTEGER
  for (const [index, { position }] of [...places.entries()].reverse()) {
    // From the last row on, each moves to where no other is any more.
    tx.run(
      `INSERT INTO pool_files (${p.pool_rid}, ${p.file_rid}, ${p.position})
       SELECT ${p.pool_rid}, ${p.file_rid}, ${p.position} + ? FROM pool_files
       WHERE ${p.pool_rid} = ? AND ${p.position} >= ? AND ${p.position} < ? ORDER BY ${p.position} DESC
       ${UPSERT}`,
      index + 1,
      pool,
      position,
      end,
    )
    end = position
  }
  tx.run(
    `INSERT INTO pool_files (${p.pool_rid}, ${p.file_rid}, ${p.position})
     SELECT ?, value ->> 0, (value ->> 1) + key FROM json_each(?)`,
    pool,
    JSON.stringify(places.map(({ file, position }) => [file, position])),
  )
}

/** Takes files out of a pool, and returns those that were in it with their positions, by these. */
export function removeFrom(
  tx: Tx,
  pool: number,
  files: number[],
): Pick<Row, 'file_rid' | 'position'>[] {
  const removed = tx.all<Pick<Row, 'file_rid' | 'position'>>(
    `DELETE FROM pool_files WHERE ${p.pool_rid} = ? AND ${p.file_rid} IN (SELECT value FROM json_each(?)) RETURNING ${p.file_rid}, ${p.position}`,
    pool,
    JSON.stringify(files),
  )
  if (removed.length > 0) closeGaps(tx, pool)
  return removed.sort((a, b) => a.position - b.position)
}

/** Takes files out of all pools. */
export function removeFromAllPools(tx: Tx, files: number[]): void {
  const removed = tx.all<Pick<Row, 'pool_rid'>>(
    `DELETE FROM pool_files WHERE ${p.file_rid} IN (SELECT value FROM json_each(?)) RETURNING ${p.pool_rid}`,
    JSON.stringify(files),
  )
  for (const pool of new Set(removed.map((row) => row.pool_rid))) closeGaps(tx, pool)
}

/** Closes the gaps between the positions of a pool. */
function closeGaps(tx: Tx, pool: number): void {
  tx.run(
    `INSERT INTO pool_files (${p.pool_rid}, ${p.file_rid}, ${p.position})
     SELECT ${p.pool_rid}, ${p.file_rid}, -1 - dense
     FROM (SELECT *, row_number() OVER (ORDER BY ${p.position}) - 1 AS dense
           FROM pool_files WHERE ${p.pool_rid} = ?)
     WHERE ${p.position} <> dense
     ${UPSERT}`,
    pool,
  )
  tx.run(SETTLE, pool)
}

/**
 * Gives files positions in a pool, some of which may be new to it. Together with those of its other
 * files, the positions must be dense.
 */
export function moveTo(tx: Tx, pool: number, moves: { file: number; position: number }[]): void {
  tx.run(
    `INSERT INTO pool_files (${p.pool_rid}, ${p.file_rid}, ${p.position})
     SELECT ?, value ->> 0, -1 - (value ->> 1) FROM json_each(?) WHERE true
     ${UPSERT}`,
    pool,
    JSON.stringify(moves.map(({ file, position }) => [file, position])),
  )
  tx.run(SETTLE, pool)
}
