import type { Context } from 'hono'
import { clientAddress, unnamedProxyOf } from '../http/clients/client-address.ts'
import type { AppEnv } from '../http/env.ts'
import { networkOf } from './rate-limit.ts'

/** The client that sent a password or a refresh token. */
export interface Client {
  address: string
  /** Null when it doesn't tell the client from others. */
  network: string | null
  /** The User-Agent header as it was sent. */
  user_agent: string
  /** Aborted when the client hangs up. */
  signal: AbortSignal
}

/**
 * Returns the client of a request. Behind a proxy that the settings don't name, the client has no network: everybody
 * behind the proxy would share one, in which every user would count as seen before.
 */
export function clientOf(c: Context<AppEnv>, trustedProxies: string[]): Client {
  const address = clientAddress(c, trustedProxies)
  const network = unnamedProxyOf(c, trustedProxies) === null ? networkOf(address) : null
  const user_agent = c.req.header('User-Agent') ?? ''
  return { address, network, user_agent, signal: c.req.raw.signal }
}
