import type { Db } from './client.ts'

/**
 * Returns a function that returns the state that belongs to a connection, such as a cache of what was read through it.
 * `make` creates the state at the first call for that connection, and it lives as long as the connection.
 */
export function perConnection<State>(make: (db: Db) => State): (db: Db) => State {
  const states = new WeakMap<Db, { state: State }>()
  return (db) => {
    const held = states.get(db) ?? { state: make(db) }
    states.set(db, held)
    return held.state
  }
}

/** Returns a text that stays the same as long as nothing is written, here or by another process. */
export function stateOf(db: Db): string {
  const row = db.get<{ changes: number; data_version: number }>(
    'SELECT total_changes() AS changes, data_version FROM pragma_data_version',
  )!
  return `${row.changes} ${row.data_version}`
}
