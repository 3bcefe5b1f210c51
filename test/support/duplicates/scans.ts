import type { Db } from '../../../src/db/client.ts'
import { write } from '../../../src/db/write.ts'
import { addManyFiles } from '../many-files.ts'

/** Adds a file without content for each hash, in the order given; returns their ids. */
export function addHashedFiles(db: Db, hashes: bigint[], owner = 1): string[] {
  return write(db, { now: 0 }, () => {
    const { last } = db.get<{ last: number }>('SELECT coalesce(max(rid), 0) AS last FROM files')!
    const ids = addManyFiles(db, hashes.length, { owner })
    for (const [index, hash] of hashes.entries()) {
      db.run(
        'UPDATE files SET phash = CAST(? AS INTEGER) WHERE rid = ?',
        String(BigInt.asIntN(64, hash)),
        last + 1 + index,
      )
    }
    return ids
  })
}

/** Returns the current scan as it is stored, with hashes as text and files as their row numbers. */
export function storedScan(db: Db) {
  const scan = db.get<{ id: number; threshold: number }>(
    'SELECT id, threshold FROM duplicate_scans WHERE is_current = 1',
  )
  const hashes = new Map<number, string>()
  const members = db
    .all<{ group_id: number; phash: string; rid: number }>(
      `SELECT group_id, CAST(phash AS TEXT) AS phash, file_rid AS rid
       FROM duplicate_members WHERE scan_id = ? ORDER BY file_rid`,
      scan?.id ?? 0,
    )
    .map(({ group_id, phash, rid }) => {
      hashes.set(group_id, phash)
      return [phash, rid]
    })
  const pairs = db
    .all<{ a: number; b: number; distance: number }>(
      `SELECT group_a AS a, group_b AS b, distance FROM duplicate_pairs
       WHERE scan_id = ? ORDER BY group_a, group_b`,
      scan?.id ?? 0,
    )
    .map(({ a, b, distance }) => [hashes.get(a), hashes.get(b), distance])
  return { threshold: scan?.threshold, pairs, members }
}

/** Returns how many rows there are of scans other than the current one. */
export function leftOver(db: Db): number {
  return db.get<{ count: number }>(
    `SELECT (SELECT count(*) FROM duplicate_scans WHERE is_current = 0)
     + (SELECT count(*) FROM duplicate_pairs WHERE scan_id NOT IN
        (SELECT id FROM duplicate_scans WHERE is_current = 1))
     + (SELECT count(*) FROM duplicate_members WHERE scan_id NOT IN
        (SELECT id FROM duplicate_scans WHERE is_current = 1)) AS count`,
  )!.count
}
