import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock, Wait } from '../base/time.ts'
import { tooMany } from './rate-limit.ts'

const WINDOW = 3_600_000
// Failures in the window that cause no delay yet.
const FREE_FAILURES = 20
const FIRST_DELAY = 1000
const LONGEST_DELAY = 15_000
// Further failures don't lengthen the delay.
const KEPT_FAILURES = FREE_FAILURES + Math.ceil(Math.log2(LONGEST_DELAY / FIRST_DELAY))
const MAX_WAITING = 100
const MAX_OF_CLIENT = 5
const MAX_NAMES = 20_000

interface Caller {
  /** Shared by all addresses of one client. */
  key: string
  isKnown: () => boolean
  signal: AbortSignal
}

interface NameDelay {
  /**
   * Resolves when a password may be tried for a name: at once, or after a wait if the client's network is new to the
   * name. Throws AppError rate_limited when too many are waiting, from this client or in all, or when the client hangs
   * up.
   */
  pass(name: string, caller: Caller): Promise<void>
  failed(name: string): void
}

/**
 * Returns a delay for names that had 20 failures within an hour, whether or not a user has such a name: a second,
 * doubled after each further failure, up to 15 seconds. At most 100 attempts wait over all names, and 5 from one
 * client. The delay remembers the 20,000 names that were tried last.
 */
export function createNameDelay({ clock, wait }: { clock: Clock; wait: Wait }): NameDelay {
  const failures = new LRUCache<string, number[]>({ max: MAX_NAMES })
  let waiting = 0
  const waitingOf = new Map<string, number>()

  function enter(key: string): void {
    const ofClient = waitingOf.get(key) ?? 0
    if (waiting >= MAX_WAITING || ofClient >= MAX_OF_CLIENT) throw tooMany(LONGEST_DELAY)
    waiting++
    waitingOf.set(key, ofClient + 1)
  }

  function leave(key: string): void {
    waiting--
    const rest = waitingOf.get(key)! - 1
    if (rest > 0) waitingOf.set(key, rest)
    else waitingOf.delete(key)
  }

  function recentFailures(key: string): number[] {
    const now = clock()
    // A time from before the clock was set back must not count for longer than an hour.
    return failures.get(key)?.filter((time) => Math.abs(now - time) < WINDOW) ?? []
  }

  return {
    async pass(name, { key, isKnown, signal }) {
      const delay = delayAfter(recentFailures(keyOf(name)).length)
      if (delay === 0 || isKnown()) return
      enter(key)
      try {
        await wait(delay, signal)
      } catch {
        throw tooMany(delay)
      } finally {
        leave(key)
      }
    },
    failed(name) {
      const key = keyOf(name)
      failures.set(key, [...recentFailures(key), clock()].slice(-KEPT_FAILURES))
    },
  }
}

function delayAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0
  return Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (failures - FREE_FAILURES))
}

// A name may be as long as a body, and a slice of it would keep the whole string in memory.
function keyOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url')
}
