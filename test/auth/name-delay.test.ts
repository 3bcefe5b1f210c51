import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createNameDelay } from '../../src/auth/name-delay.ts'
import { AppError } from '../../src/base/errors.ts'

const HOUR = 3_600_000

/** Returns a delay whose waits end when the test says so, or when they are aborted. */
function slowed() {
  const time = { now: 1_000_000 }
  const waits: { ms: number; end: () => void }[] = []
  const delay = createNameDelay({
    clock: () => time.now,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        waits.push({ ms, end: resolve })
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  })
  let clients = 0
  /** Everybody is another client unless it is named. */
  const pass = (
    name: string,
    { isKnown = false, signal = new AbortController().signal, key = `client ${clients++}` } = {},
  ) => delay.pass(name, { key, isKnown: () => isKnown, signal })
  const fail = (name: string, times: number) => {
    for (let i = 0; i < times; i++) delay.failed(name)
  }
  /** Returns how long a stranger waits now, in milliseconds. */
  const waitOf = async (name: string) => {
    const begun = waits.length
    const passed = pass(name)
    const ms = waits[begun]?.ms ?? 0
    waits[begun]?.end()
    await passed
    return ms
  }
  return { time, waits, pass, fail, waitOf }
}

function retryAfter(seconds: number) {
  return (error: unknown) => {
    assert.ok(error instanceof AppError)
    assert.equal(error.code, 'rate_limited')
    assert.deepEqual(error.headers, { 'Retry-After': String(seconds) })
    return true
  }
}

describe('the delay of a name', () => {
  it('begins after 20 failures and doubles from a second to 15', async () => {
    const { fail, waitOf } = slowed()
    fail('ann', 19)
    const waits = []
    for (let i = 0; i < 8; i++) {
      waits.push(await waitOf('ann'))
      fail('ann', 1)
    }
    assert.deepEqual(waits, [0, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000])
    fail('ann', 1000)
    assert.equal(await waitOf('ann'), 15_000)
    assert.equal(await waitOf('bert'), 0)
  })

  it('counts the failures of the last hour, even when the clock is set back', async () => {
    const { time, fail, waitOf } = slowed()
    fail('ann', 10)
    time.now += HOUR - 1
    fail('ann', 11)
    assert.equal(await waitOf('ann'), 2000)
    time.now += 1
    assert.equal(await waitOf('ann'), 0)
    fail('ann', 9)
    assert.equal(await waitOf('ann'), 1000)
    time.now -= 10 * HOUR
    assert.equal(await waitOf('ann'), 0)
  })

  it('spares who is known there, and asks only when there is a delay', async () => {
    const { waits, pass, fail } = slowed()
    fail('ann', 100)
    await pass('ann', { isKnown: true })
    assert.equal(waits.length, 0)
  })

  it('has 100 places over all names, and no more', async () => {
    const { waits, pass, fail } = slowed()
    fail('ann', 30)
    fail('bert', 30)
    const waiting = Array.from({ length: 100 }, (_, i) => pass(i % 2 ? 'ann' : 'bert'))
    await assert.rejects(pass('ann'), retryAfter(15))
    await assert.rejects(pass('bert'), retryAfter(15))
    await pass('ann', { isKnown: true })
    await pass('cleo')
    waits[0]!.end()
    await waiting[0]
    waiting.push(pass('ann'))
    await assert.rejects(pass('ann'), retryAfter(15))
    for (const { end } of waits) end()
    await Promise.all(waiting)
    assert.equal(waits.length, 101)
  })

  it('has 5 of its places for one client', async () => {
    const { waits, pass, fail } = slowed()
    fail('ann', 30)
    fail('bert', 30)
    const key = '203.0.113.7'
    const gone = new AbortController()
    const left = pass('ann', { key, signal: gone.signal })
    const waiting = Array.from({ length: 4 }, (_, i) => pass(i % 2 ? 'ann' : 'bert', { key }))
    await assert.rejects(pass('bert', { key }), retryAfter(15))
    waiting.push(pass('bert', { key: '203.0.113.8' }))
    gone.abort()
    await assert.rejects(left, retryAfter(15))
    waiting.push(pass('ann', { key }))
    await assert.rejects(pass('ann', { key }), retryAfter(15))
    for (const { end } of waits) end()
    await Promise.all(waiting)
    assert.equal(waits.length, 7)
  })

  it('gives the place of who hangs up to another', async () => {
    const { waits, pass, fail } = slowed()
    fail('ann', 30)
    const gone = new AbortController()
    const left = pass('ann', { signal: gone.signal })
    const waiting = Array.from({ length: 99 }, () => pass('ann'))
    await assert.rejects(pass('ann'), retryAfter(15))
    gone.abort()
    await assert.rejects(left, retryAfter(15))
    waiting.push(pass('ann'))
    for (const { end } of waits) end()
    await Promise.all(waiting)
    assert.equal(waits.length, 101)
  })

  it('forgets the oldest names beyond 20,000, and keeps the newest', async () => {
    const { fail, waitOf } = slowed()
    fail('ann', 20)
    fail('bert', 20)
    for (let i = 0; i < 19_999; i++) fail(`name ${i}`, 1)
    assert.equal(await waitOf('ann'), 0)
    assert.equal(await waitOf('bert'), 1000)
  })
})
