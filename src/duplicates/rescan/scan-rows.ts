import { setTimeout } from 'node:timers/promises'
import { countBits } from '../../bits.ts'
import { type Db, read, write } from '../../db/client.ts'
import type { Hashes } from '../hamming.ts'

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
      'SELECT count(*) AS count FROM files WHERE phash IS NOT NULL',
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
      `SELECT rid, phash >> 32 AS hi, phash & 4294967295 AS lo FROM files INDEXED BY files_phash
       WHERE phash IS NOT NULL AND (phash, rid) > ((? << 32) | ?, ?) ORDER BY phash, rid LIMIT ?`,
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
export function insertScan(db: Db, threshold: number, started_at: number): number {
  return write(
    db,
    () =>
      db.get<{ id: number }>(
        'INSERT INTO duplicate_scans (threshold, started_at, is_current) VALUES (?, ?, 0) RETURNING id',
        threshold,
        started_at,
      )!.id,
  )
}

/** Writes the pairs of a scan; after each transaction, yields how many have been written so far. */
export async function* writePairs(
  db: Db,
  scan: number,
  hashes: Hashes,
  { starts, seconds }: PairsByFirst,
): AsyncGenerator<number> {
  const { hi, lo } = hashes
  let first = 0
  yield* writeInSlices(db, seconds.length, (index) => {
    while (starts[first + 1]! <= index) first++
    const second = seconds[index]!
    db.run(
      `INSERT INTO duplicate_pairs (scan_id, phash_a, phash_b, distance)
       VALUES (?, (? << 32) | ?, (? << 32) | ?, ?)`,
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
  db: Db,
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
  yield* writeInSlices(db, members.length, (index) => {
    const file = members[index]!
    const place = placeOf[file]! - 1
    // A file that was purged in the meantime is left out.
    db.run(
      `INSERT INTO duplicate_members (scan_id, phash, file_rid)
       SELECT ?, (? << 32) | ?, rid FROM files WHERE rid = ?`,
      scan,
      hi[place]!,
      lo[place]! >>> 0,
      rids[file]!,
    )
  })
}

/** Removes the scans that aren't the current one, with all their rows. */
export async function removeOtherScans(db: Db): Promise<void> {
  const scans = db.all<{ id: number }>('SELECT id FROM duplicate_scans WHERE is_current = 0')
  for (const { id } of scans) {
    await removeRows(db, 'duplicate_members', 'scan_id, file_rid', id)
    await removeRows(db, 'duplicate_pairs', 'scan_id, phash_a, phash_b', id)
    write(db, () => db.run('DELETE FROM duplicate_scans WHERE id = ?', id))
  }
}

async function removeRows(db: Db, table: string, key: string, scan: number): Promise<void> {
  const limit = 2000
  const remove = () =>
    write(db, () =>
      db.run(
        `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE scan_id = ? LIMIT ?)`,
        scan,
        limit,
      ),
    )
  while (remove() === limit) await setTimeout(PAUSE)
}

/** Inserts rows in transactions of a few milliseconds, because a server that waits stands still. */
async function* writeInSlices(
  db: Db,
  count: number,
  insert: (index: number) => void,
): AsyncGenerator<number> {
  let index = 0
  while (index < count) {
    write(db, () => {
      const end = performance.now() + WRITE_TIME
      do {
        const few = Math.min(index + 100, count)
        while (index < few) insert(index++)
      } while (index < count && performance.now() < end)
    })
    yield index
    await setTimeout(PAUSE)
  }
}
