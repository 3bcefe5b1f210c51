import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inLanes } from '../../../src/gallery/base/slices.ts'

describe('many requests', () => {
  const run = async (stopAt: number, failAt: number) => {
    const stopping = new AbortController()
    const asked: number[] = []
    let underWay = 0
    let most = 0
    const { done, error } = await inLanes(
      Array.from({ length: 20 }, (_, number) => number),
      async (number) => {
        asked.push(number)
        most = Math.max(most, ++underWay)
        await new Promise((resolve) => setImmediate(resolve))
        underWay--
        if (number === failAt) throw new Error('no')
      },
      { signal: stopping.signal, onProgress: (count) => count === stopAt && stopping.abort() },
    )
    return { asked: asked.length, done, most, underWay, hasFailed: error !== undefined }
  }

  it('are sent six at a time', async () => {
    assert.deepEqual(await run(99, 99), {
      asked: 20,
      done: 20,
      most: 6,
      underWay: 0,
      hasFailed: false,
    })
  })

  it('end with those that are under way, when they are ended or one fails', async () => {
    const ended = await run(1, 99)
    assert.deepEqual([ended.asked, ended.done, ended.hasFailed], [6, 6, false])
    const failed = await run(99, 0)
    assert.deepEqual([failed.asked, failed.done, failed.hasFailed], [6, 5, true])
    assert.equal(failed.underWay, 0)
  })
})
