import type { Db } from './client.ts'

/**
 * Returns a function that gives what hangs on a connection, such as a cache of what was read by it: made
 * by `make` at the first call for that connection, and gone with it.
 */
export function perConnection<State>(make: () => State): (db: Db) => State {
  const states = new WeakMap<Db, { state: State }>()
  return (db) => {
    const held = states.get(db) ?? { state: make() }
    states.set(db, held)
    return held.state
  }
}
