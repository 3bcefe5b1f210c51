import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clientKey, createAttemptLimit, createLoginLimit } from '../src/auth/rate-limit.ts'
import { AppError } from '../src/errors.ts'

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
