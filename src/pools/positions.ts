import { columnNames } from '../db/columns.ts'
import { poolFiles } from '../db/schema/pools.ts'
import type { Tx } from '../db/write.ts'
import { filesFrom, keysFrom, lengthOf, positionsOf, type Ranked, UNPLACED } from './ranks.ts'

const p = columnNames(poolFiles)

/** The distance between neighbours' keys where nothing limits it. */
const GAP = 2 ** 20
/** How many files on either side get new keys when there is no room between two files. */
const NEIGHBOURS = 500
/** The least distance between neighbours' new keys, so that there is room for a while. */
const LEAST = 2 ** 10

/**
 * Puts files, which may be in the pool, at positions; the others stay in their order and fill the remaining positions.
 * The places must ascend, and none may be beyond the resulting length of the pool.
 */
export function place(tx: Tx, pool: number, places: Ranked[]): void {
  takeOut(
    tx,
    pool,
    places.map(({ file }) => file),
  )
  const placed: [file: number, key: number][] = []
  const crowded: Ranked[][] = []
  const runs = runsOf(places)
  const keyAt = keysBeside(tx, pool, runs)
  for (const { slot, places } of runs) {
    const keys = keysBetween(keyAt(slot - 1), keyAt(slot), places.length)
    if (keys) placed.push(...places.map(({ file }, n): [number, number] => [file, keys[n]!]))
    else crowded.push(places)
  }
  writeKeys(tx, pool, placed)
  for (const run of crowded) placeCrowded(tx, pool, run)
}

/**
 * Puts files that aren't in the pool at a position, in the given order. A position past the end appends. Returns the
 * position of the first.
 */
export function insertAt(tx: Tx, pool: number, files: number[], position: number): number {
  const first = Math.min(position, lengthOf(tx, pool))
  place(
    tx,
    pool,
    files.map((file, index) => ({ file, position: first + index })),
  )
  return first
}

/** Takes files out of a pool, and returns those that were in it with their former positions, in that order. */
export function removeFrom(tx: Tx, pool: number, files: number[]): Ranked[] {
  const removed = positionsOf(tx, pool, files)
  tx.run(
    `DELETE FROM pool_files WHERE ${p.pool_rid} = ? AND ${p.file_rid} IN (SELECT value FROM json_each(?))`,
    pool,
    JSON.stringify(removed.map(({ file }) => file)),
  )
  return removed
}

/**
 * Gives all files of pools new keys, in the order of their present ones; among equal keys, the file that came to the
 * library first comes first. Rebuilds the index, which may hold anything.
 */
export function respace(tx: Tx, pools: number[]): void {
  const index = tx.get<{ sql: string }>(
    "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = 'pool_files_order'",
  )
  tx.run('DROP INDEX IF EXISTS pool_files_order')
  for (const pool of pools) {
    const files = tx.all<{ file: number }>(
      `SELECT ${p.file_rid} AS file FROM pool_files WHERE ${p.pool_rid} = ? ORDER BY ${p.order_key}, ${p.file_rid}`,
      pool,
    )
    const placed = files.map(({ file }, n): [number, number] => [file, GAP * (n + 1)])
    writeKeys(tx, pool, placed)
  }
  if (index) tx.run(index.sql)
}

interface Run {
  /** How many of the files that stay are before them. */
  slot: number
  places: Ranked[]
}

function runsOf(places: Ranked[]): Run[] {
  const runs: Run[] = []
  for (const [index, ranked] of places.entries()) {
    const slot = ranked.position - index
    const last = runs.at(-1)
    if (last?.slot === slot) last.places.push(ranked)
    else runs.push({ slot, places: [ranked] })
  }
  return runs
}

// The returned function gives undefined before the first and after the last file.
function keysBeside(tx: Tx, pool: number, runs: Run[]): (index: number) => number | undefined {
  const [first, last] = [runs[0]?.slot ?? 0, runs.at(-1)?.slot ?? 0]
  const from = Math.max(0, first - 1)
  // Includes all keys in between: finding one key takes as long as reading many.
  const keys = keysFrom(tx, pool, from, last - from + 1)
  return (index) => keys[index - from]
}

// Without enough free keys, the neighbours get new keys as well, more and more of them if needed.
function placeCrowded(tx: Tx, pool: number, places: Ranked[]): void {
  const { position } = places[0]!
  for (let reach = NEIGHBOURS; ; reach *= 4) {
    const from = Math.max(0, position - reach)
    const near = filesFrom(tx, pool, from, position - from + reach)
    const [below] = from > 0 ? keysFrom(tx, pool, from - 1, 1) : []
    const [above] = keysFrom(tx, pool, from + near.length, 1)
    const keys = keysBetween(below, above, near.length + places.length, LEAST)
    if (!keys) continue
    takeOut(tx, pool, near)
    const files = near.toSpliced(position - from, 0, ...places.map(({ file }) => file))
    const placed = files.map((file, n): [number, number] => [file, keys[n]!])
    writeKeys(tx, pool, placed)
    return
  }
}

/**
 * Returns `count` keys, evenly spread between those of two neighbours, either of which may be missing; null when they
 * would be less than `least` apart.
 */
function keysBetween(
  below: number | undefined,
  above: number | undefined,
  count: number,
  least = 1,
): number[] | null {
  const isBetween = below !== undefined && above !== undefined
  const gap = isBetween ? Math.floor((above - below) / (count + 1)) : GAP
  if (gap < least) return null
  const start = below ?? (above === undefined ? 0 : above - gap * (count + 1))
  return Array.from({ length: count }, (_, n) => start + gap * (n + 1))
}

// The same write places the files again.
function takeOut(tx: Tx, pool: number, files: number[]): void {
  tx.run(
    `UPDATE pool_files SET ${p.order_key} = ${UNPLACED} + ${p.file_rid}
     WHERE ${p.pool_rid} = ? AND ${p.file_rid} IN (SELECT value FROM json_each(?))`,
    pool,
    JSON.stringify(files),
  )
}

function writeKeys(tx: Tx, pool: number, placed: [file: number, key: number][]): void {
  tx.run(
    `INSERT INTO pool_files (${p.pool_rid}, ${p.file_rid}, ${p.order_key})
     SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true
     ON CONFLICT (${p.pool_rid}, ${p.file_rid}) DO UPDATE SET ${p.order_key} = excluded.${p.order_key}`,
    pool,
    JSON.stringify(placed),
  )
}
