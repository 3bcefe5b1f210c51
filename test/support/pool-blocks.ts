import assert from 'node:assert/strict'
import type { Db } from '../../src/db/client.ts'

/** Every file of a pool has a key, and each block has as many as are counted, which are not too many. */
export function assertCounted(db: Db): void {
  const counted = db.all<{ files: number; held: number }>(
    `SELECT files, (SELECT count(*) FROM pool_files p WHERE p.pool_rid = b.pool_rid
       AND order_key >= first_key AND order_key < ifnull(next, 1 << 60)) AS held
     FROM (SELECT *, lead(first_key) OVER (PARTITION BY pool_rid ORDER BY first_key) AS next FROM pool_blocks) b`,
  )
  for (const { files, held } of counted) assert.equal(files, held)
  assert.ok(counted.every(({ files }) => files <= 256))
  const all = db.get<{ n: number }>('SELECT count(*) AS n FROM pool_files')!.n
  assert.equal(
    counted.reduce((sum, { held }) => sum + held, 0),
    all,
  )
}
