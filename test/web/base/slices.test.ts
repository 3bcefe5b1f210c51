import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inSlices, slicesOf } from '../../../src/gallery/base/slices.ts'

describe('many files', () => {
  it('are changed in slices within the limits of the API', () => {
    const ids = Array.from({ length: 25_000 }, (_, id) => id)
    assert.deepEqual(
      slicesOf(ids).map(({ length }) => length),
      [10_000, 10_000, 5000],
    )
    assert.deepEqual(slicesOf(ids, 50)[0]!.length, 800)
    assert.deepEqual(slicesOf(ids, 50).flat(), ids)
    assert.deepEqual(slicesOf([]), [])
  })

  it('are told of slice by slice, until it is ended or fails', async () => {
    const slices = [['a', 'b'], ['c'], ['d']]
    const run = async (stopAt: number, failAt: number) => {
      const stopping = new AbortController()
      const heard: number[] = []
      let number = 0
      const { error, ...outcome } = await inSlices(
        slices,
        async () => {
          if (++number === failAt) throw new Error('no')
          return number === 2 ? null : number
        },
        {
          signal: stopping.signal,
          onProgress(files) {
            heard.push(files)
            if (files >= stopAt) stopping.abort()
          },
        },
      )
      return { ...outcome, heard, hasFailed: error !== undefined }
    }
    assert.deepEqual(await run(9, 9), {
      operations: [1, 3],
      done: 4,
      heard: [2, 3, 4],
      hasFailed: false,
    })
    assert.deepEqual(await run(3, 9), {
      operations: [1],
      done: 3,
      heard: [2, 3],
      hasFailed: false,
    })
    assert.deepEqual(await run(9, 2), { operations: [1], done: 2, heard: [2], hasFailed: true })
  })
})
