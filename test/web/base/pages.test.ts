import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allPages } from '../../../src/gallery/base/slices.ts'

/** Reads pages of so many, by their numbers; each later page as if some had been made meanwhile. */
function listOf(total: number, made = 0) {
  const asked: number[] = []
  const read = async ({ limit, offset }: { limit: number; offset: number }) => {
    asked.push(offset)
    const from = offset > 0 ? offset - made : 0
    const length = Math.max(0, Math.min(limit, total - from))
    return { items: Array.from({ length }, (_, at) => ({ id: from + at })), total }
  }
  return { asked, read }
}

describe('all of a list', () => {
  it('is read by pages of 200', async () => {
    const { asked, read } = listOf(401)
    assert.deepEqual(
      (await allPages(read)).map(({ id }) => id),
      Array.from({ length: 401 }, (_, id) => id),
    )
    assert.deepEqual(asked, [0, 200, 400])
    for (const total of [0, 1, 200]) {
      const short = listOf(total)
      assert.equal((await allPages(short.read)).length, total)
      assert.deepEqual(short.asked, [0])
    }
  })

  it('has each once, when others are made meanwhile', async () => {
    const found = await allPages(listOf(450, 3).read)
    assert.equal(new Set(found.map(({ id }) => id)).size, found.length)
    assert.ok(found.length >= 447)
  })
})
