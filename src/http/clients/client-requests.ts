import type { Context, MiddlewareHandler } from 'hono'
import type { Config } from '../../base/config.ts'
import { AppError } from '../../base/errors.ts'
import type { AppEnv } from '../env.ts'
import { clientAddress, isAmong, isPrivate } from './client-address.ts'

// Seconds.
const RETRY_AFTER = 5

interface ClientRequestsDeps {
  config: Pick<Config, 'clientRequests' | 'trustedProxies'>
  /** Returns what the addresses of one client have in common. */
  keyOf: (address: string) => string
}

/**
 * Returns the middleware that limits how many requests of one client are under way, each from its head to the end of
 * its answer, except while it waits for its turn. Loopback, private networks and trusted proxies are exempt. Beyond the
 * limit, throws AppError busy if there is still no room after the request has waited to be refused.
 */
export function clientRequests({ config, keyOf }: ClientRequestsDeps): MiddlewareHandler<AppEnv> {
  const { clientRequests: limit, trustedProxies } = config
  if (limit === 0) return (_, next) => next()
  // At home, everybody comes from a private network, and often through the single address of a router.
  const isExempt = (address: string) => isPrivate(address) || isAmong(address, trustedProxies)
  const underWay = new Map<string, number>()
  const waitToBeRefused = createRefusals()
  const refused = new AppError(
    'busy',
    `One client may have ${limit} requests under way; try again later`,
    { headers: { Connection: 'close', 'Retry-After': String(RETRY_AFTER) } },
  )

  function isFull(key: string): boolean {
    return (underWay.get(key) ?? 0) >= limit
  }

  function add(key: string): void {
    underWay.set(key, (underWay.get(key) ?? 0) + 1)
  }

  function leave(key: string): void {
    const rest = underWay.get(key)! - 1
    if (rest > 0) underWay.set(key, rest)
    else underWay.delete(key)
  }

  const count: MiddlewareHandler<AppEnv> = async (c, next) => {
    const key = keyOf(clientAddress(c, trustedProxies))
    if (isFull(key)) await waitToBeRefused()
    if (isFull(key)) throw refused
    add(key)
    c.set('ofClient', { enter: () => add(key), leave: () => leave(key) })
    try {
      await next()
    } finally {
      void answerSent(c).then(() => leave(key))
    }
  }
  return (c, next) => {
    const address = clientAddress(c, trustedProxies)
    return address === 'unknown' || isExempt(address) ? next() : count(c, next)
  }
}

/**
 * Returns what `wait` returns. Until then, the request doesn't count among those of its client: waiting in a line with
 * its own limit must not keep out the client's other requests.
 */
export async function uncounted<T>(c: Context<AppEnv>, wait: () => Promise<T>): Promise<T> {
  const ofClient = c.get('ofClient')
  ofClient?.leave()
  try {
    return await wait()
  } finally {
    ofClient?.enter()
  }
}

/** Resolves when the answer has been sent, as far as the runtime reports it. */
export async function answerSent(c: Context<AppEnv>): Promise<void> {
  const outgoing = c.env?.outgoing
  if (outgoing) {
    if (outgoing.closed || outgoing.req.socket.closed) return
    await new Promise((resolve) => outgoing.once('close', resolve))
  } else await c.get('sent')
}

interface Pace {
  /** Milliseconds between two rounds of refusals. */
  every: number
  atLeast: number
  /** Milliseconds after which the last request is refused, as long as the server keeps up. */
  longest: number
  waiting: number
}

export const REFUSALS: Pace = { every: 10, atLeast: 2, longest: 5000, waiting: 2000 }
// After a round of refusals, the server does other work for this many times as long as the round took.
const OTHERS = 4

/**
 * Returns a function that makes a request wait before it is refused. A few are refused at a time, because refusing a
 * thousand at once would keep all other clients waiting. A request that finds too many before it doesn't wait.
 */
export function createRefusals({ every, atLeast, longest, waiting: most } = REFUSALS) {
  const waiting: (() => void)[] = []
  let isGoingOn = false

  function goOn(): void {
    const started = performance.now()
    const share = Math.ceil((waiting.length * every) / longest)
    for (const begin of waiting.splice(0, Math.max(atLeast, share))) begin()
    setImmediate(() => {
      isGoingOn = waiting.length > 0
      if (isGoingOn) setTimeout(goOn, Math.max(every, OTHERS * (performance.now() - started)))
    })
  }

  return async (): Promise<void> => {
    if (waiting.length >= most) return
    if (!isGoingOn) setTimeout(goOn, every)
    isGoingOn = true
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
}
