import type { MiddlewareHandler } from 'hono'
import type { Log } from '../log.ts'
import { clientHops, isPrivate } from './client-address.ts'
import type { AppEnv } from './env.ts'

/**
 * Returns the middleware that says once in the log that X-Forwarded-For comes from a private or
 * loopback address that is not a trusted proxy: everybody behind it would count as one client.
 */
export function unnamedProxy(log: Log, trustedProxies: string[]): MiddlewareHandler<AppEnv> {
  let hasSpoken = false
  return async (c, next) => {
    if (!hasSpoken && c.req.header('x-forwarded-for')) {
      const { client, before } = clientHops(c, trustedProxies)
      if (before.length > 0 && isPrivate(client)) {
        hasSpoken = true
        const named = [...trustedProxies, client].join()
        log.error(
          `X-Forwarded-For comes from ${client}, which is not in TRUSTED_PROXIES. If that is your ` +
            `reverse proxy, set TRUSTED_PROXIES=${named}: until then all who come through it count ` +
            'as one client, and a few wrong passwords of one of them lock all of them out',
        )
      }
    }
    await next()
  }
}
