import { write } from '../../db/write.ts'
import { respace } from '../../pools/positions.ts'
import type { Inspection } from './inspection.ts'
import { poolsWithoutOrder, turnedPairs } from './row-queries.ts'

/** Checks the order of the files in pools. */
export const orderKeys: Inspection = {
  what: 'The order of pools',
  find: (db) =>
    poolsWithoutOrder(db).map(({ id }) => ({
      kind: 'order_key',
      subject: id,
      sentence: 'Two files of the pool have the same place in its order, or one has none',
    })),
  // In one write: as long as any pool has duplicate keys, the index of all of them can't be made.
  mend: ({ db, clock }) =>
    write(db, { now: clock() }, (tx) =>
      respace(
        tx,
        poolsWithoutOrder(tx).map(({ rid }) => rid),
      ),
    ),
}

/** Checks the pairs of files and of groups, which are found by the lower number first. */
export const pairs: Inspection = {
  what: 'The pairs of duplicates',
  find: (db) =>
    turnedPairs(db).map(({ table, rows }) => ({
      kind: 'pair_order',
      subject: table,
      sentence: `${rows} pairs of "${table}" don't begin with the lower number`,
    })),
}
