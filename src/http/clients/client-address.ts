import { BlockList, isIP } from 'node:net'
import type { Context } from 'hono'
import { LRUCache } from 'lru-cache'
import type { Log } from '../../base/log.ts'
import type { Step } from '../before.ts'
import type { AppEnv } from '../env.ts'

type Test = (address: string) => boolean

// Parsed lists, for as long as the settings that hold them are in use.
const lists = new WeakMap<string[], Test>()
// How many addresses are cached. A lookup in the list takes about ten times as long as one in the cache.
const REMEMBERED = 1000
const peers = new LRUCache<string, string>({ max: REMEMBERED })

const PRIVATE = listTest([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1',
  'fc00::/7',
  'fe80::/10',
])

/**
 * Returns the address of the client: the peer's or, as long as that belongs to a trusted proxy (an address or CIDR
 * block), the previous hop's in X-Forwarded-For; 'unknown' when there is no peer.
 */
export function clientAddress(c: Context<AppEnv>, trustedProxies: string[]): string {
  const peer = peerOf(c)
  if (peer === null) return 'unknown'
  const header = c.req.header('x-forwarded-for')
  const before = header ? header.split(',') : []
  let client = peer
  while (isAmong(client, trustedProxies)) {
    const hop = canonical(before.pop()?.trim() ?? '')
    if (isIP(hop) === 0) break
    client = hop
  }
  return client
}

/**
 * Returns the peer's address when the peer sends X-Forwarded-For from a private network or the machine itself without
 * being a trusted proxy: a whole family may come through it. Returns null for any other peer.
 */
export function unnamedProxyOf(c: Context<AppEnv>, trustedProxies: string[]): string | null {
  const peer = c.req.header('x-forwarded-for') ? peerOf(c) : null
  if (peer === null) return null
  return isPrivate(peer) && !isAmong(peer, trustedProxies) ? peer : null
}

/** Returns whether a trusted proxy says that its client speaks TLS to it. */
export function isForwardedFromHttps(c: Context<AppEnv>, trustedProxies: string[]): boolean {
  const peer = peerOf(c)
  if (peer === null || !isAmong(peer, trustedProxies)) return false
  const [scheme] = c.req.header('x-forwarded-proto')?.split(',') ?? []
  return scheme?.trim().toLowerCase() === 'https'
}

// `app.request` in tests passes no bindings at all.
function peerOf(c: Context<AppEnv>): string | null {
  const peer = c.env?.peer
  if (!peer) return null
  const known = peers.get(peer)
  if (known !== undefined) return known
  const address = canonical(peer)
  peers.set(peer, address)
  return address
}

/** Returns whether an address is one of the entries of a setting, or in one of its CIDR blocks. */
export function isAmong(address: string, entries: string[]): boolean {
  const test = lists.get(entries) ?? listTest(entries)
  lists.set(entries, test)
  return test(address)
}

/** Returns whether an address belongs to the machine itself or to a network that is not the internet. */
export function isPrivate(address: string): boolean {
  return PRIVATE(address)
}

// An IPv4 address mapped to IPv6 becomes IPv4 again, and port and zone are dropped.
function canonical(text: string): string {
  if (isIP(text) === 4) return text
  const address = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const withoutZone = address.split('%')[0] ?? address
  const mapped = /^::ffff:([\d.]+)$/i.exec(withoutZone)?.[1]
  if (mapped && isIP(mapped) === 4) return mapped
  return withoutZone.toLowerCase()
}

function listTest(entries: string[]): Test {
  const list = new BlockList()
  for (const entry of entries) {
    const [address, prefix] = entry.split('/')
    const network = canonical(address ?? '')
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(prefix), family)
  }
  const known = new LRUCache<string, boolean>({ max: REMEMBERED })
  return (address) => {
    const remembered = known.get(address)
    if (remembered !== undefined) return remembered
    const family = isIP(address)
    if (family === 0) return false
    const isOn = list.check(address, family === 6 ? 'ipv6' : 'ipv4')
    known.set(address, isOn)
    return isOn
  }
}

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
