import { type BoundedMap, createBudget } from '../bounded-map.ts'
import type { Db } from './client.ts'
import { perConnection } from './per-connection.ts'

/** What an entry takes beside what it weighs. */
const ENTRY_BYTES = 200

/** What is kept of the library in memory, beside SQLite's pages: SETS_SIZE together. */
export const budgetOf = perConnection((db) => createBudget(db.setsSize))

/**
 * Returns a function that returns the map of a connection whose entries stay in memory within SETS_SIZE,
 * together with those of all other such maps. `weigh` returns the bytes of a value; it may grow.
 */
export function keptMap<Key, Value>(
  weigh: (value: Value) => number,
): (db: Db) => BoundedMap<Key, Value> {
  return perConnection((db) => budgetOf(db).map<Key, Value>((value) => weigh(value) + ENTRY_BYTES))
}
