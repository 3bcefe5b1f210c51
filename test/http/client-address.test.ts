import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Hono } from 'hono'
import { clientAddress } from '../../src/http/clients/client-address.ts'
import type { AppEnv } from '../../src/http/env.ts'
import { startSmallServer } from '../support/small-server.ts'

async function addressOf(
  peer: string | undefined,
  forwarded: string | undefined,
  trusted: string[],
): Promise<string> {
  const app = new Hono<AppEnv>()
  app.get('/', (c) => c.text(clientAddress(c, trusted)))
  const headers: Record<string, string> =
    forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
  return (await app.request('/', { headers }, peer === undefined ? undefined : { peer })).text()
}

describe('the address of a client', () => {
  const cases: [string, string | undefined, string | undefined, string[], string][] = [
    ['unknown without a peer', undefined, '1.2.3.4', ['127.0.0.1'], 'unknown'],
    ['the peer', '9.9.9.9', undefined, [], '9.9.9.9'],
    ['the peer when nobody is trusted', '9.9.9.9', '1.2.3.4', [], '9.9.9.9'],
    ['the peer when it is not trusted', '9.9.9.9', '1.2.3.4', ['10.0.0.0/8'], '9.9.9.9'],
    ['what a trusted peer says', '10.1.2.3', '1.2.3.4', ['10.0.0.0/8'], '1.2.3.4'],
    ['never what the client made up', '10.0.0.1', '6.6.6.6, 1.2.3.4', ['10.0.0.1'], '1.2.3.4'],
    ['behind two proxies', '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', ['10.0.0.0/8'], '1.2.3.4'],
    [
      'the outermost proxy when all are trusted',
      '10.0.0.1',
      '10.0.0.2',
      ['10.0.0.0/8'],
      '10.0.0.2',
    ],
    ['the last good hop before garbage', '10.0.0.1', 'x, 10.0.0.2', ['10.0.0.0/8'], '10.0.0.2'],
    ['the proxy when the header is empty', '10.0.0.1', '', ['10.0.0.1'], '10.0.0.1'],
    ['an IPv4 address through an IPv6 socket', '::ffff:9.9.9.9', undefined, [], '9.9.9.9'],
    ['trusted through an IPv6 socket too', '::ffff:10.0.0.1', '1.2.3.4', ['10.0.0.1'], '1.2.3.4'],
    ['of IPv6 in lower case', 'fd00::1', '2001:DB8::1', ['fd00::/8'], '2001:db8::1'],
    ['without its port', '10.0.0.1', '1.2.3.4:5678', ['10.0.0.1'], '1.2.3.4'],
    ['without brackets and port', '10.0.0.1', '[2001:db8::1]:5678', ['10.0.0.1'], '2001:db8::1'],
    ['without a zone', 'fe80::1%eth0', undefined, [], 'fe80::1'],
  ]
  for (const [name, peer, forwarded, trusted, expected] of cases) {
    it(`is ${name}`, async () => {
      assert.equal(await addressOf(peer, forwarded, trusted), expected)
    })
  }

  it('is known to a real server', async () => {
    const server = await startSmallServer((app) => {
      app.get('/', (c) => c.text(clientAddress(c, [])))
    })
    assert.equal(await (await fetch(server.url)).text(), '127.0.0.1')
    await server.stop()
  })
})
