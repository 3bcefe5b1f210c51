import { setImmediate } from 'node:timers/promises'

// How long work goes on before other requests get a turn, in milliseconds.
const TURN = 10

/** Returns a function that lets other requests run when a turn is over. */
export function createPause(): () => Promise<void> {
  let turnEnds = performance.now() + TURN
  return async () => {
    if (performance.now() < turnEnds) return
    await setImmediate()
    turnEnds = performance.now() + TURN
  }
}
