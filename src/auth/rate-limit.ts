import { isIPv4, isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'
import { AppError } from '../base/errors.ts'

const WINDOW = 60_000
const MAX_KEYS = 20_000
// UTF-16 units; no existing name is longer.
const NAME_LENGTH = 64

// An attempt counts as failed until it is given back.
interface Attempt {
  giveBack(): void
}

interface AttemptLimit {
  /** Counts an attempt from now on. Throws AppError rate_limited after too many in a minute. */
  start(key: string): Attempt
}

/**
 * Returns a limit on the failed attempts for each key in any 60 seconds; 0 means no limit. `clock` is in milliseconds.
 * The limit remembers the 20,000 keys that were tried last.
 */
export function createAttemptLimit(limit: number, clock: () => number): AttemptLimit {
  const attempts = new LRUCache<string, number[]>({ max: MAX_KEYS })

  function evictOld(now: number): void {
    for (const key of attempts.rkeys()) {
      const newest = attempts.peek(key)?.at(-1)
      if (newest !== undefined && isLive(newest, now)) break
      attempts.delete(key)
    }
  }

  return {
    start: (key) => {
      if (limit === 0) return { giveBack: () => {} }
      const now = clock()
      evictOld(now)
      const times = attempts.get(key) ?? []
      while (times.length > 0 && !isLive(times[0]!, now)) times.shift()
      if (times.length >= limit) throw tooMany(times[0]! + WINDOW - now)
      times.push(now)
      attempts.set(key, times)
      return {
        giveBack: () => {
          const index = times.lastIndexOf(now)
          if (index >= 0) times.splice(index, 1)
        },
      }
    },
  }
}

// A time from before the clock was set back must not count for longer than a minute.
function isLive(time: number, now: number): boolean {
  return Math.abs(now - time) < WINDOW
}

/**
 * Returns the error for a caller that has to wait. Retry-After is `wait` milliseconds, but at least a second and at
 * most a minute.
 */
export function tooMany(wait: number): AppError {
  const seconds = Math.min(60, Math.max(1, Math.ceil(wait / 1000)))
  return new AppError('rate_limited', 'Too many failed attempts; try again later', {
    headers: { 'Retry-After': String(seconds) },
  })
}

/**
 * Returns the limits on logins: `limit` for each client and name, and ten times that for each
 * client over all names.
 */
export function createLoginLimit(limit: number, clock: () => number) {
  const byName = createAttemptLimit(limit, clock)
  const byClient = createAttemptLimit(limit * 10, clock)
  return {
    /**
     * Counts an attempt in both limits. Throws AppError rate_limited when one of them is full, and
     * then counts it in neither.
     */
    start: (client: string, name: string): Attempt => {
      const overall = byClient.start(client)
      try {
        const single = byName.start(`${client} ${name.slice(0, NAME_LENGTH)}`)
        return {
          giveBack: () => {
            overall.giveBack()
            single.giveBack()
          },
        }
      } catch (error) {
        overall.giveBack()
        throw error
      }
    },
  }
}

/** Holds back clients that guess refresh tokens. */
export interface RefreshLimit {
  /**
   * Runs the work that looks at a client's token, and returns its result. Throws AppError rate_limited, without running
   * the work, after too many failures.
   */
  attempt<T>(address: string, work: () => T): T
}

/** Returns the limit on refreshing: `limit` failures of one client in a minute, 0 for none. */
export function createRefreshLimit(limit: number, clock: () => number): RefreshLimit {
  const attempts = createAttemptLimit(limit, clock)
  return {
    attempt(address, work) {
      const attempt = attempts.start(clientKey(address))
      try {
        const result = work()
        attempt.giveBack()
        return result
      } catch (error) {
        if (!isFailedAttempt(error)) attempt.giveBack()
        throw error
      }
    },
  }
}

/** Returns whether an attempt failed because of what was sent, not because of the server or of a limit. */
export function isFailedAttempt(error: unknown): boolean {
  return error instanceof AppError && ['unauthorized', 'forbidden'].includes(error.code)
}

/** Returns the key of a client: its IPv4 address, or the /64 network of its IPv6 address. */
export function clientKey(address: string): string {
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address
}

/**
 * Returns the network by which returning clients are recognised: the /24 of an IPv4 address, the /48 of an IPv6
 * address, null for anything else.
 */
export function networkOf(address: string): string | null {
  if (isIPv6(address)) return `${groupsOf(address).slice(0, 3).join(':')}::/48`
  return isIPv4(address) ? address.replace(/\d+$/, '0/24') : null
}

// A dotted end is not taken apart.
function groupsOf(address: string): string[] {
  const [head, tail] = address.split('::')
  const groups = (text: string | undefined) => (text ? text.split(':') : [])
  const before = groups(head)
  const after = groups(tail)
  // A dotted end stands for two groups.
  const given = before.length + after.length + (address.includes('.') ? 1 : 0)
  const all = [...before, ...Array<string>(8 - given).fill('0'), ...after]
  return all.map((group) => Number.parseInt(group, 16).toString(16))
}
