import type { MiddlewareHandler } from 'hono'
import type { Log } from '../../log.ts'
import type { AppEnv } from '../env.ts'
import { unnamedProxyOf } from './client-address.ts'

/**
 * Returns the middleware that says once in the log that X-Forwarded-For comes straight from a
 * private or loopback address that is not a trusted proxy: everybody behind it would count as one client.
 */
export function unnamedProxy(log: Log, trustedProxies: string[]): MiddlewareHandler<AppEnv> {
  let hasSpoken = false
  return async (c, next) => {
    const proxy = hasSpoken ? null : unnamedProxyOf(c, trustedProxies)
    if (proxy !== null) {
      hasSpoken = true
      const named = [...trustedProxies, proxy].join()
      log.error(
        `X-Forwarded-For comes from ${proxy}, which is not in TRUSTED_PROXIES. If that is your ` +
          `reverse proxy, set TRUSTED_PROXIES=${named}: until then all who come through it count ` +
          'as one client, and a few wrong passwords of one of them lock all of them out',
      )
    }
    await next()
  }
}
