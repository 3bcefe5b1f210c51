import { setTimeout } from 'node:timers/promises'
import { countBits } from '../../base/bits.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/columns.ts'
import { duplicateMembers, duplicatePairs, duplicateScans } from '../../db/schema/duplicates.ts'
import { files } from '../../db/schema/files.ts'
import { read, type Tx, type WriteDeps, write } from '../../db/write.ts'
import type { Hashes } from '../hamming.ts'
import type { Found, Groups, HashedFiles, PairsByFirst } from './found.ts'
import { countLateHashes, lastEntry } from './queries.ts'

const f = columnNames(files)
const s = columnNames(duplicateScans)
const p = columnNames(duplicatePairs)
const m = columnNames(duplicateMembers)

// Rows of one statement: a statement for each of millions of rows would be much slower.
const ROWS = 100
// A text is asked for again and again, and only the last one of a table has fewer rows.
const insertPairs = (rows: number) =>
  `INSERT INTO duplicate_pairs (${p.scan_id}, ${p.group_a}, ${p.group_b}, ${p.distance})
   VALUES ${listOf('(?, ?, ?, ?)', rows)}`
const insertMembers = (rows: number) =>
  // A file that was purged in the meantime is left out.
  `WITH found (group_id, hi, lo, rid) AS (VALUES ${listOf('(?, ?, ?, ?)', rows)})
   INSERT INTO duplicate_members (${m.scan_id}, ${m.group_id}, ${m.file_rid}, ${m.phash})
   SELECT ?, found.group_id, f.${f.rid}, (hi << 32) | lo FROM found CROSS JOIN files AS f ON f.${f.rid} = found.rid`

function listOf(text: string, count: number): string {
  return new Array(count).fill(text).join(', ')
}

const PAGE = 20_000
// How many milliseconds a transaction writes, and how many other connections then have. A connection that waits tries
// again after 1, 2, 5, 10, 15 milliseconds and more, so that one of its first tries falls into a pause of this length.
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
      asOf: lastEntry(db),
      lateHashes: countLateHashes(db),
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
       WHERE ${f.phash} IS NOT NULL AND (${f.phash}, ${f.rid}) > ((? << 32) | ?, ?)
       ORDER BY ${f.phash}, ${f.rid} LIMIT ?`,
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
export function insertScan(
  tx: Tx,
  scan: { threshold: number; startedAt: number; isWhole: boolean; lateHashes: number },
): number {
  return tx.get<{ id: number }>(
    `INSERT INTO duplicate_scans (${s.threshold}, ${s.started_at}, ${s.is_whole}, ${s.late_hashes}, ${s.is_current})
     VALUES (?, ?, ?, ?, 0) RETURNING ${s.id}`,
    scan.threshold,
    scan.startedAt,
    Number(scan.isWhole),
    scan.lateHashes,
  )!.id
}

/** Writes the pairs of a scan; after each transaction, yields how many have been written so far. */
export async function* writePairs(
  deps: WriteDeps,
  scan: number,
  { hi, lo }: Hashes,
  { groups: { places }, pairs: { starts, seconds } }: Pick<Found, 'groups' | 'pairs'>,
): AsyncGenerator<number> {
  let first = 0
  yield* writeInSlices(deps, seconds.length, (tx, from, to) => {
    const values: number[] = []
    for (let index = from; index < to; index++) {
      while (starts[first + 1]! <= index) first++
      const second = seconds[index]!
      const [a, b] = [places[first]!, places[second]!]
      const distance = countBits(hi[a]! ^ hi[b]!, lo[a]! ^ lo[b]!)
      values.push(scan, first, second, distance)
    }
    tx.run(insertPairs(to - from), ...values)
  })
}

/**
 * Writes the files of the groups that are in a pair or have several files, by row number so that each page of the
 * tables is written only once; after each transaction, yields how many have been written so far.
 */
export async function* writeMembers(
  deps: WriteDeps,
  scan: number,
  { hi, lo, rids }: HashedFiles,
  { listed, groups, pairs }: Found,
): AsyncGenerator<number> {
  const { of, places } = groups
  const isAlike = groupsAlike(groups, pairs)
  const members = listed.filter((file) => isAlike[of[file]!] === 1)
  yield* writeInSlices(deps, members.length, (tx, from, to) => {
    const values: number[] = []
    for (const file of members.subarray(from, to)) {
      const group = of[file]!
      const place = places[group]!
      values.push(group, hi[place]!, lo[place]! >>> 0, rids[file]!)
    }
    tx.run(insertMembers(to - from), ...values, scan)
  })
}

function groupsAlike({ sizes }: Groups, { starts, seconds }: PairsByFirst): Uint8Array {
  const isAlike = new Uint8Array(sizes.length)
  for (const second of seconds) isAlike[second] = 1
  for (const [group, size] of sizes.entries()) {
    if (size > 1 || starts[group + 1]! > starts[group]!) isAlike[group] = 1
  }
  return isAlike
}

/** Removes the scans that aren't the current one, with all their rows. */
export async function removeOtherScans(deps: WriteDeps): Promise<void> {
  const { db, clock } = deps
  const scans = db.all<{ id: number }>(
    `SELECT ${s.id} FROM duplicate_scans WHERE ${s.is_current} = 0`,
  )
  for (const { id } of scans) {
    await removeRows(deps, 'duplicate_members', [m.scan_id, m.file_rid], id)
    await removeRows(deps, 'duplicate_pairs', [p.scan_id, p.group_a, p.group_b], id)
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

// Transactions are short, because a server that waits for one stands still.
async function* writeInSlices(
  { db, clock }: WriteDeps,
  count: number,
  insert: (tx: Tx, from: number, to: number) => void,
): AsyncGenerator<number> {
  let index = 0
  while (index < count) {
    write(db, { now: clock() }, (tx) => {
      const end = performance.now() + WRITE_TIME
      do {
        const to = Math.min(index + ROWS, count)
        insert(tx, index, to)
        index = to
      } while (index < count && performance.now() < end)
    })
    yield index
    await setTimeout(PAUSE)
  }
}
