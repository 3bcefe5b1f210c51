import type { Db } from '../db/client.ts'
import { columnNames } from '../db/column-names.ts'
import { poolBlocks, poolFiles, pools } from '../db/schema/pools.ts'
import type { Tx } from '../db/write.ts'

const p = columnNames(poolFiles)
const b = columnNames(poolBlocks)

/** Where the keys begin of files that a write is about to place; they are in no block. */
export const UNPLACED = '(1 << 60)'
/** Where the first block of a pool begins, below all keys. */
const LOWEST = '-9007199254740992'
/** How many files a block has at most once a write is over, and how many it has after a split. */
const [MOST, HALF] = [256, 128]

/** A file of a pool at its position. */
export interface Ranked {
  file: number
  position: number
}

/** A stretch of the keys of a pool. */
interface Block {
  first_key: number
  /** How many files have a key in it. */
  files: number
  /** How many have a lower one. */
  before: number
}

/** The blocks of a pool; good until a file comes, goes or moves. */
interface Ranks {
  db: Db
  pool: number
  blocks: Block[]
  /** How many files the pool has. */
  length: number
}

/** Returns the counts by which positions and keys of a pool are found from each other. */
export function readRanks(db: Db, pool: number): Ranks {
  const rows = db.all<Omit<Block, 'before'>>(
    `SELECT ${b.first_key}, ${b.files} FROM pool_blocks WHERE ${b.pool_rid} = ? ORDER BY ${b.first_key}`,
    pool,
  )
  let length = 0
  const blocks = rows.map((row) => {
    const before = length
    length += row.files
    return { ...row, before }
  })
  return { db, pool, blocks, length }
}

/** Returns for each key how many files of the pool have a lower one. */
export function positionsOfKeys({ db, pool, blocks }: Ranks, keys: number[]): Map<number, number> {
  // The pool has been deleted.
  if (blocks.length === 0) return new Map(keys.map((key) => [key, 0]))
  const ascending = keys.toSorted((x, y) => x - y)
  const indexes = ascending.map((key) => lastIndex(blocks, (block) => block.first_key <= key))
  const isFirst = (n: number) => indexes[n] !== indexes[n - 1]
  // From where its block begins, or from the key before it on.
  const stretches = ascending.map((key, n) => [
    isFirst(n) ? blocks[indexes[n]!]!.first_key : ascending[n - 1]!,
    key,
  ])
  const counts = db.all<{ files: number }>(
    `SELECT (SELECT count(*) FROM pool_files WHERE ${p.pool_rid} = ?
       AND ${p.order_key} >= value ->> 0 AND ${p.order_key} < value ->> 1) AS files
     FROM json_each(?) ORDER BY key`,
    pool,
    JSON.stringify(stretches),
  )
  const positions = new Map<number, number>()
  let position = 0
  for (const [n, key] of ascending.entries()) {
    if (isFirst(n)) position = blocks[indexes[n]!]!.before
    position += counts[n]!.files
    positions.set(key, position)
  }
  return positions
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
  const positions = positionsOfKeys(readRanks(db, pool), keys)
  return rows.map((row) => ({ file: row.file_rid, position: positions.get(row.order_key)! }))
}

/** Returns the keys from a position on, at most `limit`; the first file has the position 0. */
export function keysFrom(ranks: Ranks, position: number, limit: number): number[] {
  return entriesFrom(ranks, position, limit).map((row) => row.order_key)
}

/** Returns the files from a position on, at most `limit`, in their order. */
export function filesFrom(ranks: Ranks, position: number, limit: number): number[] {
  return entriesFrom(ranks, position, limit).map((row) => row.file_rid)
}

function entriesFrom({ db, pool, blocks, length }: Ranks, position: number, limit: number) {
  const first = Math.max(0, position)
  const left = Math.min(limit, length - first)
  if (left <= 0) return []
  const block = blocks[lastIndex(blocks, ({ before }) => before <= first)]!
  return db.all<Pick<typeof poolFiles.$inferSelect, 'file_rid' | 'order_key'>>(
    `SELECT ${p.file_rid}, ${p.order_key} FROM pool_files WHERE ${p.pool_rid} = ? AND ${p.order_key} >= ?
     ORDER BY ${p.order_key} LIMIT ? OFFSET ?`,
    pool,
    block.first_key,
    left,
    first - block.before,
  )
}

/** Returns the last of the blocks of which something holds that holds of none after it. */
function lastIndex(blocks: Block[], holds: (block: Block) => boolean): number {
  let [low, high] = [0, blocks.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(blocks[middle]!)) low = middle
    else high = middle - 1
  }
  return low
}

/** Deletes the blocks of a pool that are empty, and splits those that are too large to be counted through quickly. */
export function evenBlocks(tx: Tx, pool: number): void {
  // The first one stays: it is where keys go that are below all others.
  tx.run(
    `DELETE FROM pool_blocks WHERE ${b.pool_rid} = ? AND ${b.files} = 0
     AND ${b.first_key} > (SELECT min(${b.first_key}) FROM pool_blocks WHERE ${b.pool_rid} = ?)`,
    pool,
    pool,
  )
  const blocks = tx.all<{ first_key: number; next: number | null; files: number }>(
    `SELECT * FROM (
       SELECT ${b.first_key}, ${b.files}, lead(${b.first_key}) OVER (ORDER BY ${b.first_key}) AS next
       FROM pool_blocks WHERE ${b.pool_rid} = ?)
     WHERE ${b.files} > ?`,
    pool,
    MOST,
  )
  for (const { first_key, next } of blocks) {
    // The number stands in the text: bound on Node, it would be a float, and divide without rounding.
    tx.run(
      `INSERT INTO pool_blocks (${b.pool_rid}, ${b.first_key}, ${b.files})
       SELECT ?, iif(min(place) = 0, ?, min(${p.order_key})), count(*)
       FROM (SELECT ${p.order_key}, row_number() OVER (ORDER BY ${p.order_key}) - 1 AS place FROM pool_files
             WHERE ${p.pool_rid} = ? AND ${p.order_key} >= ? AND ${p.order_key} < ifnull(?, ${UNPLACED}))
       GROUP BY place / ${HALF}
       ON CONFLICT DO UPDATE SET ${b.files} = excluded.${b.files}`,
      pool,
      first_key,
      pool,
      first_key,
      next,
    )
  }
}

/** Counts the files of a pool anew, whatever its blocks say. */
export function recountBlocks(tx: Tx, pool: number): void {
  tx.run(`DELETE FROM pool_blocks WHERE ${b.pool_rid} = ?`, pool)
  tx.run(
    `INSERT INTO pool_blocks (${b.pool_rid}, ${b.first_key}, ${b.files})
     SELECT ${columnNames(pools).rid}, ${LOWEST}, (SELECT count(*) FROM pool_files WHERE ${p.pool_rid} = ? AND ${p.order_key} < ${UNPLACED})
     FROM pools WHERE ${columnNames(pools).rid} = ?`,
    pool,
    pool,
  )
  evenBlocks(tx, pool)
}
