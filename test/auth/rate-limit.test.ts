import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { clientKey, createAttemptLimit, createLoginLimit } from '../../src/auth/rate-limit.ts'
import { AppError } from '../../src/base/errors.ts'
import { type Library, openLibrary } from '../support/harness.ts'

function retryAfter(seconds: number) {
  return (error: unknown) => {
    assert.ok(error instanceof AppError)
    assert.equal(error.code, 'rate_limited')
    assert.deepEqual(error.headers, { 'Retry-After': String(seconds) })
    return true
  }
}

describe('the limit of failed attempts', () => {
  it('holds in every window of a minute and says when the next one is welcome', () => {
    const time = { now: 1_000_000 }
    const limit = createAttemptLimit(2, () => time.now)
    limit.start('a')
    time.now += 20_500
    limit.start('a')
    assert.throws(() => limit.start('a'), retryAfter(40))
    limit.start('b')
    time.now += 39_499
    assert.throws(() => limit.start('a'), retryAfter(1))
    time.now += 1
    limit.start('a')
    assert.throws(() => limit.start('a'), retryAfter(21))
  })

  it('counts an attempt from its start and gives it back once', () => {
    const limit = createAttemptLimit(2, () => 0)
    const first = limit.start('a')
    limit.start('a')
    assert.throws(() => limit.start('a'), retryAfter(60))
    first.giveBack()
    limit.start('a')
    assert.throws(() => limit.start('a'), retryAfter(60))
  })

  it('is none at 0', () => {
    const limit = createAttemptLimit(0, () => 0)
    for (let i = 0; i < 1000; i++) limit.start('a')
  })

  it('forgets the oldest keys beyond 20,000, and keeps the newest', () => {
    const limit = createAttemptLimit(1, () => 0)
    for (let i = 0; i < 20_010; i++) limit.start(String(i))
    limit.start('0')
    assert.throws(() => limit.start('20009'), retryAfter(60))
  })

  it('does not hold longer than a minute when the clock is set back', () => {
    const time = { now: 10 * 86_400_000 }
    const limit = createAttemptLimit(1, () => time.now)
    limit.start('a')
    time.now -= 30_000
    assert.throws(() => limit.start('a'), retryAfter(60))
    time.now -= 86_400_000
    limit.start('a')
  })
})

describe('the limit at login', () => {
  it('holds for a client and name, and tenfold for a client over all names', () => {
    const limit = createLoginLimit(2, () => 0)
    limit.start('1.1.1.1', 'ann')
    limit.start('1.1.1.1', 'ann')
    for (let i = 0; i < 100; i++) {
      assert.throws(() => limit.start('1.1.1.1', 'ann'), retryAfter(60))
    }
    limit.start('1.1.1.2', 'ann')
    for (let i = 0; i < 18; i++) limit.start('1.1.1.1', `name ${i}`)
    assert.throws(() => limit.start('1.1.1.1', 'another'), retryAfter(60))
    limit.start('1.1.1.2', 'another')
  })

  it('gives back in both', () => {
    const limit = createLoginLimit(2, () => 0)
    for (let i = 0; i < 50; i++) limit.start('1.1.1.1', 'ann').giveBack()
    for (let i = 0; i < 50; i++) limit.start('1.1.1.1', `name ${i}`).giveBack()
    limit.start('1.1.1.1', 'ann')
  })
})

describe('a client', () => {
  it('is an IPv4 address, or the /64 of an IPv6 address', () => {
    assert.equal(clientKey('192.0.2.7'), '192.0.2.7')
    assert.equal(clientKey('unknown'), 'unknown')
    const same = ['2001:db8:0:1::1', '2001:db8::1:ffff:1:2:3', '2001:0DB8:0000:0001:0:0:0:9']
    for (const address of same) assert.equal(clientKey(address), '2001:db8:0:1::/64')
    assert.equal(clientKey('2001:db8::1'), '2001:db8:0:0::/64')
    assert.equal(clientKey('::1'), '0:0:0:0::/64')
    assert.equal(clientKey('64:ff9b::192.0.2.1'), '64:ff9b:0:0::/64')
    assert.equal(clientKey('1:2:3:4:5:6:192.0.2.1'), '1:2:3:4::/64')
    assert.equal(clientKey('1:2:3:4::'), '1:2:3:4::/64')
  })
})

describe('the limit of failed sign-ins', () => {
  let library: Library
  before(async () => {
    library = await openLibrary({ AUTH_RATE_LIMIT: '3', TRUSTED_PROXIES: '10.0.0.1' })
    await library.addUser('Ann')
    await library.addUser('Bert')
  })
  after(() => library.close())

  it('refuses the right password too, for one client and name, for a minute', async () => {
    const peer = '192.0.2.1'
    for (let i = 0; i < 5; i++) await library.login('Bert', undefined, { peer })
    for (let i = 0; i < 3; i++) {
      assert.equal((await library.login('Ann', 'wrong', { peer })).status, 401)
    }
    library.time.now += 10_000
    const refused = await library.login('Ann', undefined, { peer })
    assert.equal(refused.status, 429)
    assert.equal(refused.body.code, 'rate_limited')
    assert.equal(refused.headers.get('Retry-After'), '50')

    assert.equal((await library.login('Bert', undefined, { peer })).status, 200)
    const headers = { 'X-Forwarded-For': '192.0.2.2' }
    const through = { peer: '10.0.0.1', headers }
    assert.equal((await library.login('Ann', undefined, through)).status, 200)
    assert.equal((await library.login('Ann', undefined, { peer, headers })).status, 429)

    library.time.now += 50_000
    assert.equal((await library.login('Ann', undefined, { peer })).status, 200)
  })

  it('counts attempts that are still running', async () => {
    const peer = '2001:db8::1'
    const guesses = Array.from({ length: 10 }, (_, i) =>
      library.login('Ann', 'wrong', { peer: peer.replace('::1', `::${i + 1}`) }),
    )
    const statuses = (await Promise.all(guesses)).map((answer) => answer.status)
    assert.deepEqual(statuses.sort(), [401, 401, 401, 429, 429, 429, 429, 429, 429, 429])
  })

  it('does not count what was refused for the queue alone', async () => {
    const busy = await openLibrary({ AUTH_RATE_LIMIT: '30' })
    await busy.addUser('Ann')
    const crowd = Array.from({ length: 30 }, () => busy.login('Ann'))
    const statuses = (await Promise.all(crowd)).map((answer) => answer.status)
    assert.deepEqual(new Set(statuses), new Set([200, 429]))
    for (let i = 0; i < 30; i++) assert.equal((await busy.login('Ann', 'wrong')).status, 401)
    assert.equal((await busy.login('Ann')).status, 429)
    await busy.close()
  })

  it('does not count what failed for reasons of the server', async () => {
    const peer = '192.0.2.5'
    const { refresh_token } = await library.signIn('Ann')
    library.deps.db.run('PRAGMA query_only = 1')
    for (let i = 0; i < 7; i++) {
      assert.equal((await library.login('Ann', undefined, { peer })).status, 500)
      assert.equal((await library.login('Ann', 'wrong', { peer })).status, 500)
      assert.equal((await library.refresh(refresh_token, { peer })).status, 500)
    }
    library.deps.db.run('PRAGMA query_only = 0')
    assert.equal((await library.login('Ann', undefined, { peer })).status, 200)
    assert.equal((await library.refresh(refresh_token, { peer })).status, 200)
  })

  it('counts a blocked user with the right password as refused', async () => {
    const peer = '192.0.2.6'
    library.deps.db.run("UPDATE users SET is_blocked = 1 WHERE name = 'Bert'")
    const statuses = []
    for (let i = 0; i < 4; i++)
      statuses.push((await library.login('Bert', undefined, { peer })).status)
    library.deps.db.run("UPDATE users SET is_blocked = 0 WHERE name = 'Bert'")
    assert.deepEqual(statuses, [403, 403, 403, 429])
  })

  it('holds for failed refreshes of one client, and for nothing else', async () => {
    const peer = '192.0.2.9'
    const pair = await library.signIn('Ann')
    for (let i = 0; i < 3; i++) assert.equal((await library.refresh('x', { peer })).status, 401)
    assert.equal((await library.refresh(pair.refresh_token, { peer })).status, 429)
    assert.equal((await library.refresh(pair.refresh_token)).status, 200)
    assert.equal((await library.login('Ann', undefined, { peer })).status, 200)
    const me = await library.call('GET', '/users/me', { token: pair.access_token, peer })
    assert.equal(me.status, 200)
  })
})
