import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createRefusals, REFUSALS } from '../../src/http/clients/client-requests.ts'

describe('requests that wait to be refused', () => {
  it('go on in their order, a few at a time, and again later', async () => {
    const wait = createRefusals()
    const order: number[] = []
    const waiting = Array.from({ length: 30 }, (_, n) => wait().then(() => order.push(n)))
    await setImmediate()
    assert.ok(order.length < 30)
    await Promise.all(waiting)
    assert.deepEqual(
      order,
      waiting.map((_, n) => n),
    )
    await wait()
  })

  it('do not wait beyond the number that may', async () => {
    const wait = createRefusals({ ...REFUSALS, waiting: 5 })
    let gone = 0
    const waiting = Array.from({ length: 5 }, () => wait().then(() => gone++))
    await wait()
    assert.equal(gone, 0)
    await Promise.all(waiting)
    await wait()
  })

  it('are more at a time when they are many', async () => {
    // With one at a time, the last one would wait for ten minutes.
    const wait = createRefusals({ every: 10, atLeast: 1, longest: 50, waiting: 60_000 })
    await Promise.all(Array.from({ length: 60_000 }, () => wait()))
  })
})
