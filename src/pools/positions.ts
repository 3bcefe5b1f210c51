import type { Db } from '../db/client.ts'

// SQLite checks UNIQUE row by row, so positions change in two steps: first to the negative of the
// new position (less one, since zero has no negative), then all at once to the new position itself.
const SETTLE = 'UPDATE pool_files SET position = -1 - position WHERE pool_rid = ? AND position < 0'
// An upsert, since an UPDATE with a FROM may look at every pair of a row and a new position.
const UPSERT = 'ON CONFLICT (pool_rid, file_rid) DO UPDATE SET position = excluded.position'

/**
 * Inserts files that aren't in the pool at a position, in the order given, inside a write; the
 * files from there on move back. A position past the end appends. Returns the position of the
 * first.
 */
export function insertAt(db: Db, pool: number, files: number[], position: number): number {
  const { length } = db.get<{ length: number }>(
    'SELECT count(*) AS length FROM pool_files WHERE pool_rid = ?',
    pool,
  )!
  const first = Math.min(position, length)
  db.run(
    'UPDATE pool_files SET position = -1 - (position + ?) WHERE pool_rid = ? AND position >= ?',
    files.length,
    pool,
    first,
  )
  db.run(SETTLE, pool)
  db.run(
    'INSERT INTO pool_files (pool_rid, file_rid, position) SELECT ?, value, ? + key FROM json_each(?)',
    pool,
    first,
    JSON.stringify(files),
  )
  return first
}

/** Takes files out of a pool inside a write, and returns those that were in it. */
export function removeFrom(db: Db, pool: number, files: number[]): number[] {
  const removed = db.all<{ file_rid: number }>(
    'DELETE FROM pool_files WHERE pool_rid = ? AND file_rid IN (SELECT value FROM json_each(?)) RETURNING file_rid',
    pool,
    JSON.stringify(files),
  )
  if (removed.length > 0) closeGaps(db, pool)
  return removed.map((row) => row.file_rid)
}

/** Takes a file out of all pools inside a write. */
export function removeFromAllPools(db: Db, file: number): void {
  const pools = db.all<{ pool_rid: number }>(
    'DELETE FROM pool_files WHERE file_rid = ? RETURNING pool_rid',
    file,
  )
  for (const { pool_rid } of pools) closeGaps(db, pool_rid)
}

/** Closes the gaps between the positions of a pool, inside a write. */
function closeGaps(db: Db, pool: number): void {
  db.run(
    `INSERT INTO pool_files (pool_rid, file_rid, position)
     SELECT pool_rid, file_rid, -1 - dense
     FROM (SELECT *, row_number() OVER (ORDER BY position) - 1 AS dense
           FROM pool_files WHERE pool_rid = ?)
     WHERE position <> dense
     ${UPSERT}`,
    pool,
  )
  db.run(SETTLE, pool)
}

/**
 * Gives files of a pool new positions, a permutation of the ones that they have, inside a write.
 */
export function moveTo(db: Db, pool: number, moves: { file: number; position: number }[]): void {
  db.run(
    `INSERT INTO pool_files (pool_rid, file_rid, position)
     SELECT ?, value ->> 0, -1 - (value ->> 1) FROM json_each(?) WHERE true
     ${UPSERT}`,
    pool,
    JSON.stringify(moves.map(({ file, position }) => [file, position])),
  )
  db.run(SETTLE, pool)
}
