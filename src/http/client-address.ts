import { BlockList, isIP } from 'node:net'
import type { Context } from 'hono'
import type { AppEnv } from './env.ts'

const trusted = new Map<string, BlockList>()

/**
 * Returns the address of the client: the peer's or, as long as that belongs to a trusted proxy (an
 * address or CIDR block), the previous hop's in X-Forwarded-For; 'unknown' when there is no peer.
 */
export function clientAddress(c: Context<AppEnv>, trustedProxies: string[]): string {
  // `app.request` in tests passes no bindings at all.
  const peer = c.env?.peer
  if (!peer) return 'unknown'
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',')
  let client = canonical(peer)
  while (isAmong(client, trustedProxies)) {
    const hop = canonical(hops.pop()?.trim() ?? '')
    if (isIP(hop) === 0) break
    client = hop
  }
  return client
}

/** Returns whether an address is one of the addresses, or in one of the CIDR blocks. */
export function isAmong(address: string, entries: string[]): boolean {
  const family = isIP(address)
  return family !== 0 && blockList(entries).check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Returns an address without port and zone; an IPv4 address mapped to IPv6 becomes IPv4 again. */
function canonical(text: string): string {
  const address = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const withoutZone = address.split('%')[0] ?? address
  const mapped = /^::ffff:([\d.]+)$/i.exec(withoutZone)?.[1]
  if (mapped && isIP(mapped) === 4) return mapped
  return withoutZone.toLowerCase()
}

function blockList(entries: string[]): BlockList {
  const key = entries.join()
  const known = trusted.get(key)
  if (known) return known
  const list = new BlockList()
  for (const entry of entries) {
    const [address, prefix] = entry.split('/')
    const network = canonical(address ?? '')
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(prefix), family)
  }
  trusted.set(key, list)
  return list
}
