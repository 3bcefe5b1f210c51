import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Hono } from 'hono'
import { before } from '../../src/http/before.ts'
import { unnamedProxy } from '../../src/http/clients/client-address.ts'
import type { AppEnv } from '../../src/http/env.ts'
import { openLibrary } from '../support/harness.ts'

type Sent = [peer: string | undefined, forwarded?: string]

interface App {
  request(path: string, init: RequestInit, env: AppEnv['Bindings']): Response | Promise<Response>
}

async function send(app: App, requests: Sent[]): Promise<void> {
  for (const [peer, forwarded] of requests) {
    const headers = new Headers(forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded })
    await app.request('/health', { headers }, peer === undefined ? {} : { peer })
  }
}

/** Returns what the log says to the requests. */
async function complaints(trusted: string[], requests: Sent[]): Promise<string[]> {
  const lines: string[] = []
  const keep = (message: string) => void lines.push(message)
  const app = new Hono<AppEnv>()
  app.use(before(unnamedProxy({ debug: keep, info: keep, warn: keep, error: keep }, trusted)))
  app.get('/health', (c) => c.text('ok'))
  await send(app, requests)
  return lines
}

const PUBLIC = '203.0.113.7'

describe('a proxy that the settings do not name', () => {
  it('is named in the log, once, with what to set', async () => {
    const library = await openLibrary({ TRUSTED_PROXIES: '192.0.2.1' })
    await send(library, [
      ['172.18.0.2', PUBLIC],
      ['172.18.0.2', PUBLIC],
      ['127.0.0.1', PUBLIC],
    ])
    const errors = library.logged.filter(({ level }) => level === 'error')
    await library.close()
    assert.deepEqual(
      errors.map(({ message }) => message),
      [
        'X-Forwarded-For comes from 172.18.0.2, which is not in TRUSTED_PROXIES. If that is your ' +
          'reverse proxy, set TRUSTED_PROXIES=192.0.2.1,172.18.0.2: until then all who come ' +
          'through it count as one client, and a few wrong passwords of one of them lock all of ' +
          'them out',
      ],
    )
  })

  for (const peer of [
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.255.0.1',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.1.1',
    '100.64.0.1',
    'fd00::1',
    'fe80::1%eth0',
  ]) {
    it(`is noticed at ${peer}`, async () => {
      assert.equal((await complaints([], [[peer, PUBLIC]])).length, 1)
    })
  }

  it('is not a client behind one that they name', async () => {
    // Whoever is at home may send the header, and must not be called a proxy.
    const lines = await complaints(
      ['127.0.0.1'],
      [
        ['127.0.0.1', `${PUBLIC}, 192.168.1.5`],
        ['172.18.0.3', PUBLIC],
      ],
    )
    assert.equal(lines.length, 1)
    assert.match(lines[0]!, /comes from 172\.18\.0\.3, .* set TRUSTED_PROXIES=127\.0\.0\.1,172\.18/)
  })

  it('is not seen in others', async () => {
    const lines = await complaints(
      ['127.0.0.1', '10.0.0.0/8'],
      [
        ['192.168.1.5'],
        ['192.168.1.5', ''],
        [undefined, PUBLIC],
        [PUBLIC, '1.2.3.4'],
        ['172.32.0.1', '1.2.3.4'],
        ['127.0.0.1', PUBLIC],
        ['127.0.0.1', '192.168.1.5'],
        ['127.0.0.1', 'garbage'],
        ['10.0.0.1', `1.2.3.4, ${PUBLIC}, 10.0.0.2`],
      ],
    )
    assert.deepEqual(lines, [])
  })
})
