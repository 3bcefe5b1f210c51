import type { Log } from '../../base/log.ts'
import type { Step } from '../before.ts'
import { unnamedProxyOf } from './client-address.ts'

/**
 * Returns the step that logs once that X-Forwarded-For comes straight from a private or loopback address that is not a
 * trusted proxy: everybody behind it would count as one client.
 */
export function unnamedProxy(log: Log, trustedProxies: string[]): Step {
  let hasSpoken = false
  return (c) => {
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
  }
}
