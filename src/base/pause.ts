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

/**
 * Runs some work at once and then every `ms` milliseconds, without keeping the process alive. While
 * it goes on, its next times are passed over. `stop` aborts the signal that the work gets, and resolves once the work has ended. The work must not reject.
 */
export function repeatedly(
  ms: number,
  work: (signal: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } {
  const ending = new AbortController()
  let isRunning = false
  const run = async () => {
    isRunning = true
    await work(ending.signal)
    isRunning = false
  }
  let running = run()
  const timer = setInterval(() => {
    if (!isRunning) running = run()
  }, ms)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      ending.abort()
      return running
    },
  }
}
