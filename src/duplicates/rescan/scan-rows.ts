import { setTimeout } from 'node:timers/promises'
import { countBits } from '../../bits.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/column-names.ts'
import { duplicateMembers, duplicatePairs, duplicateScans } from '../../db/schema/duplicates.ts'
import { files } from '../../db/schema/files.ts'
import { read, type Tx, type WriteDeps, write } from '../../db/write.ts'
import type { Hashes } from '../hamming.ts'

const f = columnNames(files)
const s = columnNames(duplicateScans)
const p = columnNames(duplicatePairs)
const m = columnNames(duplicateMembers)

// These two run for each of millions of rows, so their texts are not put together each time.
const INSERT_PAIR = `INSERT INTO duplicate_pairs (${p.scan_id}, ${p.phash_a}, ${p.phash_b}, ${p.distance})
  VALUES (?, (? << 32) | ?, (? << 32) | ?, ?)`
// A file that was purged in the meantime is left out.
const INSERT_MEMBER = `INSERT INTO duplicate_members (${m.scan_id}, ${m.phash}, ${m.file_rid})
  SELECT ?, (? << 32) | ?, ${f.rid} FROM files WHERE ${f.rid} = ?`

/** The library's hashes, in ascending order, with their files. */
export interface HashedFiles extends Hashes {
  /** Where the files of each hash begin in `rids`; one more entry is the end of the last. */
  starts: Int32Array
  rids: Float64Array
}

/** Pairs of hashes, grouped by the first hash of each. */
export interface PairsByFirst {
  /** Where the pairs of each hash begin in `seconds`; one more entry is the end of the last. */
  starts: Int32Array
  /** The second hash of each pair, in ascending order for each first one. */
  seconds: Int32Array
}

const PAGE = 20_000
/**
 * How many milliseconds a transaction writes, and how many others then have. A connection that
 * waits tries again after 1, 2, 5, 10, 15 milliseconds and more, so that one of its first tries
 * falls into a pause of this length.
 */
const WRITE_TIME = 12
const PAUSE = 16

/** Returns the hashes of all files, trashed ones included, as of a single moment. */
export function readHashes(db: Db): HashedFiles {
  return read(db, () => {
    const { count } = db.get<{ count: number }>(
      `SELECT count(*) AS count FROM files WHERE ${f.phash} IS NOT NULL`,
    )!
    const hi = new Int32Array(count)
    const lo = new Int32Array(count)
    const starts = new Int32Array(count + 1)
    const rids = new Float64Array(count)
    let hashes = 0
    let files = 0
    for (const row of hashRows(db)) {
      const isSame = hashes > 0 && hi[hashes - 1] === row.hi && lo[hashes - 1] === (row.lo | 0)
      if (!isSame) {
        hi[hashes] = row.hi
        lo[hashes] = row.lo
        starts[hashes++] = files
      }
      rids[files++] = row.rid
    }
    starts[hashes] = files
    return {
      hi: hi.subarray(0, hashes),
      lo: lo.subarray(0, hashes),
      starts: starts.subarray(0, hashes + 1),
      rids,
    }
  })
}

interface HashRow {
  rid: number
  hi: number
  /** Unsigned. */
  lo: number
}

function* hashRows(db: Db): Generator<HashRow> {
  let last: HashRow = { hi: -(2 ** 31), lo: 0, rid: 0 }
  for (;;) {
    const rows = db.all<HashRow>(
      `SELECT ${f.rid}, ${f.phash} >> 32 AS hi, ${f.phash} & 4294967295 AS lo FROM files INDEXED BY files_phash
       WHERE ${f.phash} IS NOT NULL AND (${f.phash}, ${f.rid}) > ((? << 32) | ?, ?) ORDER BY ${f.phash}, ${f.rid} LIMIT ?`,
      last.hi,
      last.lo,
      last.rid,
      PAGE,
    )
    yield* rows
    if (rows.length < PAGE) return
    last = rows.at(-1)!
  }
}

/** Inserts the row of a scan that isn't the current one yet, and returns its number. */
export function insertScan(tx: Tx, threshold: number, started_at: number): number {
  return tx.get<{ id: number }>(
    `INSERT INTO duplicate_scans (${s.threshold}, ${s.started_at}, ${s.is_current}) VALUES (?, ?, 0) RETURNING ${s.id}`,
    threshold,
    started_at,
  )!.id
}

/** Writes the pairs of a scan; after each transaction, yields how many have been written so far. */
export async function* writePairs(
  deps: WriteDeps,
  scan: number,
  hashes: Hashes,
  { starts, seconds }: PairsByFirst,
): AsyncGenerator<number> {
  const { hi, lo } = hashes
  let first = 0
  yield* writeInSlices(deps, seconds.length, (tx, index) => {
    while (starts[first + 1]! <= index) first++
    const second = seconds[index]!
    tx.run(
      INSERT_PAIR,
      scan,
      hi[first]!,
      lo[first]! >>> 0,
      hi[second]!,
      lo[second]! >>> 0,
      countBits(hi[first]! ^ hi[second]!, lo[first]! ^ lo[second]!),
    )
  })
}

/**
 * Writes the files that have the hashes at `places`, sorted by row number so that each page of the
 * tables is written only once; after each transaction, yields how many have been written so far.
 */
export async function* writeMembers(
  deps: WriteDeps,
  scan: number,
  hashes: HashedFiles,
  places: Int32Array,
): AsyncGenerator<number> {
  const { hi, lo, starts, rids } = hashes
  const placeOf = new Int32Array(rids.length)
  for (const place of places) placeOf.fill(place + 1, starts[place]!, starts[place + 1]!)
  const members = Int32Array.from(rids.keys())
    .filter((file) => placeOf[file]! > 0)
    .sort((a, b) => rids[a]! - rids[b]!)
  yield* writeInSlices(deps, members.length, (tx, index) => {
    const file = members[index]!
    const place = placeOf[file]! - 1
    tx.run(INSERT_MEMBER, scan, hi[place]!, lo[place]! >>> 0, rids[file]!)
  })
}

/** Removes the scans that aren't the current one, with all their rows. */
export async function removeOtherScans(deps: WriteDeps): Promise<void> {
  const { db, clock } = deps
  const scans = db.all<{ id: number }>(
    `SELECT ${s.id} FROM duplicate_scans WHERE ${s.is_current} = 0`,
  )
  for (const { id } of scans) {
    await removeRows(deps, 'duplicate_members', [m.scan_id, m.file_rid], id)
    await removeRows(deps, 'duplicate_pairs', [p.scan_id, p.phash_a, p.phash_b], id)
    write(db, { now: clock() }, (tx) => tx.run(`DELETE FROM duplicate_scans WHERE ${s.id} = ?`, id))
  }
}

async function removeRows(
  { db, clock }: WriteDeps,
  table: string,
  key: [scan_id: string, ...others: string[]],
  scan: number,
): Promise<void> {
  const limit = 2000
  const columns = key.join(', ')
  const remove = () =>
    write(db, { now: clock() }, (tx) =>
      tx.run(
        `DELETE FROM ${table} WHERE (${columns}) IN (SELECT ${columns} FROM ${table} WHERE ${key[0]} = ? LIMIT ?)`,
        scan,
        limit,
      ),
    )
  while (remove() === limit) await setTimeout(PAUSE)
}

/** Inserts rows in transactions of a few milliseconds, because a server that waits stands still. */
async function* writeInSlices(
  { db, clock }: WriteDeps,
  count: number,
  insert: (tx: Tx, index: number) => void,
): AsyncGenerator<number> {
  let index = 0
  while (index < count) {
    write(db, { now: clock() }, (tx) => {
      const end = performance.now() + WRITE_TIME
      do {
        const few = Math.min(index + 100, count)
        while (index < few) insert(tx, index++)
      } while (index < count && performance.now() < end)
    })
    yield index
    await setTimeout(PAUSE)
  }
}
