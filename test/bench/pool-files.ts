import type { Tx } from '../../src/db/write.ts'
import { insertAt } from '../../src/pools/positions.ts'

/** Fills an empty pool with files from all over the library, in any order. */
export function fillPool(tx: Tx, pool: number, size: number, after = 0): void {
  const files = tx.all<{ rid: number }>(
    'SELECT rid FROM files WHERE rid > ? ORDER BY random() LIMIT ?',
    after,
    size,
  )
  insertAt(
    tx,
    pool,
    files.map((file) => file.rid),
    0,
  )
}
