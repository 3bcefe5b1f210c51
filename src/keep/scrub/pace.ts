import { setTimeout } from 'node:timers/promises'

// Bytes in a second at most.
const RATE = 10_000_000

/**
 * Returns a function that waits, after some bytes were read, until the next may be: at most 10 MB are read in a second.
 * Idle time is not made up for.
 */
export function createPace(): (bytes: number) => Promise<void> {
  let begun = performance.now()
  return async (bytes) => {
    const rest = begun + (bytes / RATE) * 1000 - performance.now()
    if (rest > 0) await setTimeout(rest)
    begun = performance.now()
  }
}
