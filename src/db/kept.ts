import { type BoundedMap, createBudget } from '../bounded-map.ts'
import type { Db } from './client.ts'
import { perConnection } from './per-connection.ts'

/** What an entry takes beside what it weighs. */
const ENTRY_BYTES = 200

/** What is kept of the library in memory, beside SQLite's pages, in bytes. */
const MOST_KEPT = 32 * 2 ** 20

const budgetOf = perConnection(() => createBudget(MOST_KEPT))

/**
 * Returns a function that returns the map of a connection whose entries stay in memory within 32 MiB,
 * together with those of all other such maps. `weigh` returns the bytes of a value, to which those of a
 * text as key are added. What has grown is weighed again when it is set again, or used.
 */
export function keptMap<Key, Value>(
  weigh: (value: Value) => number,
): (db: Db) => BoundedMap<Key, Value> {
  const weighEntry = (value: Value, key: Key) =>
    weigh(value) + ENTRY_BYTES + (typeof key === 'string' ? 2 * key.length : 0)
  return perConnection((db) => budgetOf(db).map(weighEntry))
}
