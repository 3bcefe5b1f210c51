import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../../src/gallery/base/error.ts'
import { backBy } from '../../../src/gallery/sharing/back.ts'

/** Three steps; those of which an error is given fail with it. */
function open() {
  const done: number[] = []
  const failing = new Map<number, unknown>()
  const step = (number: number) => async () => {
    if (failing.has(number)) throw failing.get(number)
    done.push(number)
  }
  return { done, failing, back: backBy([1, 2, 3].map(step)) }
}

describe('what is taken back by steps', () => {
  it('goes on where it failed, and takes no step twice', async () => {
    const { done, failing, back } = open()
    failing.set(2, new ApiError(503, 'busy'))
    await assert.rejects(back.take(), { status: 503 })
    assert.deepEqual(done, [1])
    assert.equal(back.isLeft(), true)
    failing.clear()
    await back.take()
    assert.deepEqual(done, [1, 2, 3])
    assert.equal(back.isLeft(), false)
  })

  it('leaves out what can’t be taken back any more, and says so', async () => {
    const { done, failing, back } = open()
    failing.set(1, new ApiError(409, 'conflict'))
    await assert.rejects(back.take(), { status: 409 })
    assert.deepEqual(done, [2, 3])
    assert.equal(back.isLeft(), false)
  })

  it('says the first of two reasons, and keeps the step that may still succeed', async () => {
    const { done, failing, back } = open()
    failing.set(1, new ApiError(409, 'conflict'))
    failing.set(2, new ApiError(0, 'no_connection'))
    await assert.rejects(back.take(), { status: 409 })
    assert.equal(back.isLeft(), true)
    failing.clear()
    await back.take()
    assert.deepEqual(done, [2, 3])
  })
})
