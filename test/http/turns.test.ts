import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../src/base/errors.ts'
import { createTurns } from '../../src/http/clients/turns.ts'

const HERE = new AbortController().signal
const [ANN, BOB] = [1, 2]

/** Takes turns of Ann until none is free, and one more; tells whether that one has begun. */
async function fill(turns: ReturnType<typeof createTurns>, atOnce: number, signal = HERE) {
  const ends = []
  for (let n = 0; n < atOnce; n++) ends.push(await turns.take(ANN, HERE))
  const state = { begun: false }
  const next = turns.take(ANN, signal).then((end) => {
    state.begun = true
    return end
  })
  return { ends, next, state }
}

describe('turns', () => {
  it('are taken at once up to the limit; the next waits until one ends', async () => {
    const turns = createTurns({ atOnce: 8, waiting: 100, longest: 60_000 })
    const { ends, next, state } = await fill(turns, 8)
    const other = await turns.take(BOB, HERE)
    assert.equal(state.begun, false)
    ends[3]!()
    const end = await next
    // All eight are taken again.
    const last = turns.take(ANN, HERE)
    end()
    await last
    other()
  })

  it('come in the order in which they were asked for', async () => {
    const turns = createTurns({ atOnce: 1, waiting: 100, longest: 60_000 })
    const first = await turns.take(ANN, HERE)
    const order: number[] = []
    const waiting = [1, 2, 3].map(async (n) => {
      const end = await turns.take(ANN, HERE)
      order.push(n)
      end()
    })
    first()
    await Promise.all(waiting)
    assert.deepEqual(order, [1, 2, 3])
  })

  it('are refused with 429 to whoever would be the 101st to wait, until one has gone', async () => {
    const turns = createTurns({ atOnce: 1, waiting: 100, longest: 60_000 })
    const first = await turns.take(ANN, HERE)
    const client = new AbortController()
    const gone = assert.rejects(turns.take(ANN, client.signal), { code: 'validation_error' })
    const waiting = Array.from({ length: 99 }, () => turns.take(ANN, HERE))
    await assert.rejects(turns.take(ANN, HERE), (error) => {
      assert.ok(error instanceof AppError)
      assert.equal(error.code, 'rate_limited')
      assert.match(error.headers['Retry-After'] ?? '', /^\d+$/)
      return true
    })
    ;(await turns.take(BOB, HERE))()
    client.abort()
    await gone
    waiting.push(turns.take(ANN, HERE))
    first()
    for (const turn of waiting) (await turn)()
  })

  it('pass over whoever hangs up, before or while waiting', async () => {
    const turns = createTurns({ atOnce: 1, waiting: 100, longest: 60_000 })
    const client = new AbortController()
    const { ends, next } = await fill(turns, 1, client.signal)
    const refused = assert.rejects(next, { code: 'validation_error' })
    const after = turns.take(ANN, HERE)
    client.abort()
    await refused
    await assert.rejects(turns.take(ANN, client.signal), { code: 'validation_error' })
    ends[0]!()
    ;(await after)()
    ;(await turns.take(ANN, HERE))()
  })

  it('are refused with 429 to whoever waits for longer than the limit, which frees a place', async () => {
    const turns = createTurns({ atOnce: 1, waiting: 1, longest: 50 })
    const { ends, next } = await fill(turns, 1)
    await assert.rejects(next, (error) => {
      assert.ok(error instanceof AppError)
      assert.equal(error.code, 'rate_limited')
      assert.match(error.headers['Retry-After'] ?? '', /^\d+$/)
      return true
    })
    const later = turns.take(ANN, HERE)
    ends[0]!()
    ;(await later)()
  })
})
