import { columnNames } from '../db/column-names.ts'
import { poolFiles } from '../db/schema/pools.ts'
import type { Tx } from '../db/write.ts'
import {
  evenBlocks,
  filesFrom,
  keysFrom,
  positionsOf,
  type Ranked,
  readRanks,
  recountBlocks,
  UNPLACED,
} from './ranks.ts'

const p = columnNames(poolFiles)

/** How far the keys of neighbours are apart where nothing limits them. */
const GAP = 2 ** 20
/** How many files on either side get new keys when there is no room between two of them. */
const NEIGHBOURS = 500
/** How far apart new keys of neighbours must be, so that there is room for a while. */
const LEAST = 2 ** 10
/** To read one key takes as long as to read so many in one go. */
const MANY = 100

/**
 * Puts files, which may be in the pool, at positions; the others stay in their order and fill the other
 * positions. The places ascend, and none is beyond the length that the pool then has.
 */
export function place(tx: Tx, pool: number, places: Ranked[]): void {
  takeOut(
    tx,
    pool,
    places.map(({ file }) => file),
  )
  const ranks = readRanks(tx, pool)
  const placed: [file: number, key: number][] = []
  const crowded: Ranked[][] = []
  const runs = runsOf(places)
  const keyAt = keysOf(ranks, runs.length)
  for (const run of runs) {
    // The places before it are not taken yet.
    const keys = keysBetween(keyAt, run.first - run.index, 0, run.places.length)
    if (keys) placed.push(...run.places.map(({ file }, n): [number, number] => [file, keys[n]!]))
    else crowded.push(run.places)
  }
  writeKeys(tx, pool, placed)
  for (const run of crowded) placeCrowded(tx, pool, run)
  evenBlocks(tx, pool)
}

/**
 * Puts files that aren't in the pool at a position, in the order given. One past the end appends. Returns
 * the position of the first.
 */
export function insertAt(tx: Tx, pool: number, files: number[], position: number): number {
  const first = Math.min(position, readRanks(tx, pool).length)
  place(
    tx,
    pool,
    files.map((file, index) => ({ file, position: first + index })),
  )
  return first
}

/** Takes files out of a pool, and returns those that were in it with their positions, by these. */
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
 * Gives all files of pools new keys, in the order of those that they have; of equal ones, the file that came to
 * the library first comes first. The index, which may hold anything, is made anew.
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
  for (const pool of pools) recountBlocks(tx, pool)
}

/** Files that get a place one behind the other. */
interface Run {
  /** The position of the first. */
  first: number
  /** How many files get a lower place. */
  index: number
  places: Ranked[]
}

function runsOf(places: Ranked[]): Run[] {
  const runs: Run[] = []
  for (const [index, ranked] of places.entries()) {
    const last = runs.at(-1)
    if (last && ranked.position === last.first + last.places.length) last.places.push(ranked)
    else runs.push({ first: ranked.position, index, places: [ranked] })
  }
  return runs
}

/** Puts a run where there are too few keys, with new keys for its neighbours, and more of them as need be. */
function placeCrowded(tx: Tx, pool: number, places: Ranked[]): void {
  const ranks = readRanks(tx, pool)
  const { position } = places[0]!
  for (let reach = NEIGHBOURS; ; reach *= 4) {
    const from = Math.max(0, position - reach)
    const near = filesFrom(ranks, from, position - from + reach)
    const keys = keysBetween(keysOf(ranks), from, near.length, near.length + places.length)
    if (!keys) continue
    takeOut(tx, pool, near)
    const files = near.toSpliced(position - from, 0, ...places.map(({ file }) => file))
    const placed = files.map((file, n): [number, number] => [file, keys[n]!])
    writeKeys(tx, pool, placed)
    return
  }
}

/** Tells the key at a position; undefined behind the last. */
type KeyAt = (position: number) => number | undefined

/** Tells keys of a pool, all of which are read at once where many are asked for. */
function keysOf(ranks: ReturnType<typeof readRanks>, asked = 1): KeyAt {
  const all = asked > ranks.length / MANY ? keysFrom(ranks, 0, ranks.length) : null
  return (position) => (all ? all[position] : keysFrom(ranks, position, 1)[0])
}

/**
 * Returns that many keys to replace those of `replaced` files from a position on, evenly spread between
 * the keys of the neighbours; null when there is no room for them.
 */
function keysBetween(
  keyAt: KeyAt,
  position: number,
  replaced: number,
  count: number,
): number[] | null {
  const below = position > 0 ? keyAt(position - 1) : undefined
  const above = keyAt(position + replaced)
  const isBetween = below !== undefined && above !== undefined
  const gap = isBetween ? Math.floor((above - below) / (count + 1)) : GAP
  if (gap < (replaced === 0 ? 1 : LEAST)) return null
  const start = below ?? (above === undefined ? 0 : above - gap * (count + 1))
  return Array.from({ length: count }, (_, n) => start + gap * (n + 1))
}

/** Takes files of a pool out of its order; the same write places them again. */
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
