import type { Context, MiddlewareHandler } from 'hono'
import type { Config } from '../../base/config.ts'
import { AppError } from '../../base/errors.ts'
import type { AppEnv } from '../env.ts'
import { clientAddress, isAmong, isPrivate } from './client-address.ts'

/** Seconds after which a client who was refused may try again. */
const RETRY_AFTER = 5

interface ClientRequestsDeps {
  config: Pick<Config, 'clientRequests' | 'trustedProxies'>
  /** Returns what the addresses of one client have in common. */
  keyOf: (address: string) => string
}

/**
 * Returns the middleware that bounds how many requests of one client are under way, from its head to
 * the end of its answer, without what waits for its turn. Loopback, private networks and trusted
 * proxies are exempt. Throws AppError busy beyond the bound, when the request has waited to be refused
 * and there is still no room.
 */
export function clientRequests({ config, keyOf }: ClientRequestsDeps): MiddlewareHandler<AppEnv> {
  const { clientRequests: limit, trustedProxies } = config
  if (limit === 0) return (_, next) => next()
  // Everybody at home comes from a private network, and often through one address of a router.
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
 * Returns what `wait` returns. Until then, the request isn't counted among those of its client:
 * whatever waits in a line with a bound of its own isn't to keep out the others.
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

/** Resolves when the answer is out, as far as the runtime tells. */
export async function answerSent(c: Context<AppEnv>): Promise<void> {
  const outgoing = c.env?.outgoing
  if (outgoing) {
    if (outgoing.closed || outgoing.req.socket.closed) return
    await new Promise((resolve) => outgoing.once('close', resolve))
  } else await c.get('sent')
}

interface Pace {
  /** Milliseconds between two times when some are refused. */
  every: number
  /** How many are refused each time at least. */
  atLeast: number
  /** Milliseconds after which the last one is refused, as long as the server keeps up. */
  longest: number
  /** How many wait at most. */
  waiting: number
}

export const REFUSALS: Pace = { every: 10, atLeast: 2, longest: 5000, waiting: 2000 }
/** How many times as long as the last refusals took the server does other things first. */
const OTHERS = 4

/**
 * Returns how a request waits that is about to be refused. A few go on at a time: to refuse a thousand
 * at once would keep everybody else waiting. Whoever finds too many before them doesn't wait.
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
