import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createApp } from '../../src/app.ts'
import { networkOf } from '../../src/auth/rate-limit.ts'
import { serve } from '../../src/server.ts'
import { eventually } from '../support/eventually.ts'
import { type Library, openLibrary } from '../support/harness.ts'

const WRONG = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ name: 'Ann', password: 'wrong' }),
}
const HOME = '203.0.113.7'
const ABROAD = '198.51.100.9'

let library: Library
beforeEach(async () => {
  library = await openLibrary({ AUTH_RATE_LIMIT: '5' })
  await library.addUser('Ann')
})
afterEach(() => library.close())

/** Fails once in each of many networks; returns how each was answered. */
async function guess(name: string, times: number): Promise<number[]> {
  const statuses = []
  for (let i = 0; i < times; i++) {
    const peer = `10.${Math.floor(i / 250)}.${i % 250}.1`
    statuses.push((await library.login(name, 'wrong', { peer })).status)
  }
  return statuses
}
const networks = (name = 'Ann') =>
  library.deps.db
    .all<{ network: string }>(
      `SELECT network FROM known_networks WHERE user_id = (SELECT id FROM users WHERE name = ?)
       ORDER BY network`,
      name,
    )
    .map((row) => row.network)
const enter = (peer: string) => library.login('Ann', undefined, { peer })

describe('a network', () => {
  it('is the /24 of an IPv4 address, and the /48 of an IPv6 address', () => {
    assert.equal(networkOf('192.0.2.77'), '192.0.2.0/24')
    assert.equal(networkOf('2001:db8:1:2::9'), '2001:db8:1::/48')
    assert.equal(networkOf('2001:0DB8:0001::'), '2001:db8:1::/48')
    assert.equal(networkOf('::1'), '0:0:0::/48')
    assert.equal(networkOf('unknown'), null)
  })

  it('becomes known by signing in, and by nothing else', async () => {
    const id = await library.addUser('Locked')
    library.deps.db.run('UPDATE users SET is_blocked = 1 WHERE id = ?', id)
    assert.equal((await library.login('Locked', undefined, { peer: HOME })).status, 403)
    assert.equal((await library.login('Ann', 'wrong', { peer: ABROAD })).status, 401)
    const pair = (await library.login('Ann')).body
    assert.equal((await library.refresh(pair.refresh_token, { peer: ABROAD })).status, 200)
    assert.deepEqual([...networks(), ...networks('Locked')], [])
    await enter(HOME)
    await enter('203.0.113.200')
    await enter('2001:db8::1')
    assert.deepEqual(networks(), ['2001:db8:0::/48', '203.0.113.0/24'])
  })
})

describe('a proxy that the settings do not name', () => {
  for (const peer of ['127.0.0.1', '172.17.0.2']) {
    it(`is no network, so that the delay at ${peer} does not tell which names exist`, async () => {
      const through = { peer, headers: { 'X-Forwarded-For': HOME } }
      assert.equal((await library.login('Ann', undefined, { peer })).status, 200)
      assert.equal((await library.login('Ann', undefined, through)).status, 200)
      assert.equal(networks().length, 1)
      await guess('Ann', 20)
      await guess('Nobody', 20)
      for (const name of ['Ann', 'Nobody']) await library.login(name, 'wrong', through)
      assert.deepEqual(library.waits.splice(0), [1000, 1000])
      await library.login('Ann', undefined, { peer })
      assert.deepEqual(library.waits, [], 'who comes without a proxy is known')
    })
  }

  it('makes no network known by a sign-in, a refresh or a new password', async () => {
    const through = { peer: '172.17.0.2', headers: { 'X-Forwarded-For': HOME } }
    const pair = (await library.login('Ann', undefined, through)).body
    assert.deepEqual(networks(), [])
    assert.equal((await library.refresh(pair.refresh_token, through)).status, 200)
    await enter('172.17.0.3')
    const body = { password: 'another', current_password: 'password of Ann' }
    const token = pair.access_token
    const answer = await library.call('PATCH', '/users/me', { ...through, token, body })
    assert.equal(answer.status, 200)
    assert.deepEqual(networks(), [])
  })

  it('is not one that they name', async () => {
    library.deps.config.trustedProxies = ['127.0.0.1']
    await library.restart()
    await library.login('Ann', undefined, {
      peer: '127.0.0.1',
      headers: { 'X-Forwarded-For': HOME },
    })
    assert.deepEqual(networks(), ['203.0.113.0/24'])
  })
})

describe('guesses at one name from many networks', () => {
  it('are slowed after 20, except in the networks of the name', async () => {
    await enter(HOME)
    assert.deepEqual(new Set(await guess('Ann', 24)), new Set([401]))
    assert.deepEqual(library.waits, [1000, 2000, 4000, 8000])
    await library.restart()
    await guess('Ann', 21)
    assert.deepEqual(library.waits.splice(0), [1000, 2000, 4000, 8000, 1000])

    assert.equal((await enter(HOME)).status, 200)
    assert.equal((await library.login('Ann', 'wrong', { peer: '203.0.113.8' })).status, 401)
    assert.deepEqual(library.waits, [], 'the owner is never delayed')
    assert.equal((await enter(ABROAD)).status, 200)
    assert.deepEqual(library.waits.splice(0), [4000])
    await enter(ABROAD)
    assert.deepEqual(library.waits, [], 'and is known there from then on')
  })

  it('are slowed alike for a name that nobody has', async () => {
    await enter(HOME)
    await library.addUser('Bert')
    const answers = []
    for (const name of ['Ann', 'Bert', 'Nobody']) {
      const statuses = await guess(name, 25)
      const peer = '192.0.2.1'
      const { status, body } = await library.login(name, 'wrong', { peer })
      answers.push({ statuses, status, body, waits: library.waits.splice(0) })
    }
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual(answers[2], answers[0])
    assert.deepEqual(answers[0]!.waits, [1000, 2000, 4000, 8000, 15_000, 15_000])
  })

  it('do not lift the limit of one client, in a known network neither', async () => {
    await enter(HOME)
    for (let i = 0; i < 5; i++) await library.login('Ann', 'wrong', { peer: HOME })
    const refused = await enter(HOME)
    assert.deepEqual([refused.status, refused.headers.get('Retry-After')], [429, '60'])
    assert.equal((await enter('203.0.113.8')).status, 200)
  })

  it('are not slowed without a limit', async () => {
    const open = await openLibrary({ AUTH_RATE_LIMIT: '0' })
    await open.addUser('Ann')
    const statuses = []
    for (let i = 0; i < 30; i++) {
      statuses.push((await open.login('Ann', 'wrong', { peer: `10.0.${i}.1` })).status)
    }
    assert.deepEqual([new Set(statuses), open.waits], [new Set([401]), []])
    await open.close()
  })

  it('count where the server failed for none', async () => {
    library.deps.db.run('PRAGMA query_only = 1')
    assert.deepEqual(new Set(await guess('Ann', 30)), new Set([500]))
    library.deps.db.run('PRAGMA query_only = 0')
    assert.equal((await enter(ABROAD)).status, 200)
    assert.deepEqual(library.waits, [])
  })
})

describe('the known networks of a user', () => {
  it('are the 64 seen last, and a refresh is a sight', async () => {
    const first = (await enter('10.0.0.1')).body
    for (let i = 1; i < 64; i++) {
      library.time.now += 60_000
      await enter(`10.0.${i}.1`)
    }
    library.time.now += 60_000
    assert.equal((await library.refresh(first.refresh_token, { peer: '10.0.0.200' })).status, 200)
    await enter(HOME)
    assert.equal(networks().length, 64)
    assert.deepEqual(
      ['10.0.0.0/24', '10.0.1.0/24', '10.0.2.0/24', '203.0.113.0/24'].map((network) =>
        networks().includes(network),
      ),
      [true, false, true, true],
    )
    library.time.now -= 365 * 86_400_000
    await enter(ABROAD)
    assert.ok(networks().includes('198.51.100.0/24'), 'even when the clock was set back')
    assert.equal(networks().length, 64)
  })

  it('are forgotten with a new password, but for the one where it is set', async () => {
    await enter(ABROAD)
    const { access_token: token } = (await enter(HOME)).body
    const renew = (password: string, peer: string) =>
      library.call('PATCH', '/users/me', { token, peer, body: { password } })
    await library.call('PATCH', '/users/me', { token, peer: HOME, body: { name: 'Anna' } })
    assert.equal(networks('Anna').length, 2)
    assert.equal((await renew('another', HOME)).status, 200)
    assert.deepEqual(networks('Anna'), ['203.0.113.0/24'])
    // A stranger with a stolen token gains nothing by it.
    assert.equal((await renew('a third', '192.0.2.1')).status, 200)
    assert.deepEqual(networks('Anna'), [])
  })

  it('go with the user, and are not those of the next one with the name', async () => {
    await library.addUser('Root', { is_admin: true })
    const root = await library.signIn('Root')
    await enter(HOME)
    const { access_token: token } = root
    assert.equal((await library.call('DELETE', '/users/1', { token })).status, 204)
    assert.equal(library.deps.db.get('SELECT 1 FROM known_networks'), undefined)
    await library.addUser('Ann')
    await guess('Ann', 20)
    await enter(HOME)
    assert.deepEqual(library.waits, [1000])
  })
})

describe('who hangs up while waiting', () => {
  it('has no password tried, but spends an attempt of its own', async () => {
    let gone = 0
    library.deps.wait = (ms, signal) => {
      library.waits.push(ms)
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          gone++
          reject(signal.reason)
        })
      })
    }
    const app = createApp(library.deps)
    const { host } = library.deps.config
    const serving = await serve(app, { host, port: 0, log: library.deps.log })
    for (let i = 0; i < 20; i++) {
      const env = { peer: `10.0.${i}.1` }
      assert.equal((await app.request('/api/v1/auth/login', WRONG, env)).status, 401)
    }
    const failures = () => library.audit().filter(({ action }) => action === 'user_login_failed')
    for (let i = 1; i <= 5; i++) {
      const client = new AbortController()
      const { signal } = client
      const answer = fetch(`${serving.address}/api/v1/auth/login`, { ...WRONG, signal })
      await eventually(() => library.waits.length === i)
      client.abort()
      await assert.rejects(answer)
      await eventually(() => gone === i)
    }
    const refused = await fetch(`${serving.address}/api/v1/auth/login`, WRONG)
    assert.equal(refused.status, 429)
    assert.deepEqual([library.waits, failures().length], [Array(5).fill(1000), 20])
    await serving.stop()
  })
})
