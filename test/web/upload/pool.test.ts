import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../../src/gallery/base/error.ts'
import { createBatchPool } from '../../../src/gallery/upload/pool.ts'

const NORWAY = { id: 'norway', name: 'Norway' }
const SNOW = { id: 'snow', name: 'Snow' }

/** A batch with a server that notes what it is asked, and may refuse. */
function openBatch() {
  const asked: string[] = []
  const changed: { operations: number[]; back: () => void }[] = []
  const failed: { error: unknown; retry: (() => void) | undefined }[] = []
  const server: { refuses: ApiError | null } = { refuses: null }
  const batch = createBatchPool({
    async change(action, pool, ids) {
      await Promise.resolve()
      if (server.refuses) throw server.refuses
      asked.push(`${action} ${pool.id} ${ids.join()}`)
      return asked.length
    },
    onChanged: (operations, back) => changed.push({ operations, back }),
    onFailed: (error, retry) => failed.push({ error, retry }),
  })
  const idle = () => new Promise((resolve) => setTimeout(resolve))
  return { batch, asked, changed, failed, server, idle }
}

describe('the pool of a batch', () => {
  it('gets what has arrived before and what arrives after, together where that is possible', async () => {
    const { batch, asked, idle } = openBatch()
    batch.arrive('a')
    batch.arrive('b')
    await idle()
    assert.deepEqual(asked, [])
    batch.set(NORWAY)
    await idle()
    batch.arrive('c')
    batch.arrive('d')
    await idle()
    assert.deepEqual(asked, ['add norway a,b', 'add norway c,d'])
  })

  it('keeps a file that was here already, and may have been in it before', async () => {
    const { batch, asked, idle } = openBatch()
    batch.set(NORWAY)
    batch.arrive('a')
    batch.arrive('known', true)
    // Another one of the content of the first.
    batch.arrive('a', true)
    await idle()
    batch.set(SNOW)
    await idle()
    assert.deepEqual(asked, ['add norway a,known', 'remove norway a', 'add snow a,known'])
  })

  it('is changed for all of them', async () => {
    const { batch, asked, idle } = openBatch()
    batch.arrive('a')
    batch.set(NORWAY)
    await idle()
    batch.set(SNOW)
    await idle()
    batch.set(null)
    await idle()
    assert.deepEqual(asked, ['add norway a', 'remove norway a', 'add snow a', 'remove snow a'])
  })

  it('can be taken back where somebody chose it, with the choice', async () => {
    const { batch, asked, changed, idle } = openBatch()
    batch.arrive('a')
    batch.set(NORWAY)
    await idle()
    batch.arrive('b')
    await idle()
    assert.deepEqual(
      changed.map(({ operations }) => operations),
      [[1]],
    )
    changed[0]!.back()
    assert.equal(batch.pool.peek(), null)
    batch.arrive('c')
    await idle()
    assert.deepEqual(asked, ['add norway a', 'add norway b'])
  })

  it('is another one for the next list, while the last files of this one still follow', async () => {
    const { batch, asked, idle } = openBatch()
    batch.set(NORWAY)
    await idle()
    batch.arrive('a')
    batch.letGo()
    batch.arrive('b')
    await idle()
    assert.equal(batch.pool.peek(), null)
    assert.deepEqual(asked, ['add norway a'])
  })

  it('is no longer asked for what it has refused, and once more for what it lost', async () => {
    const { batch, asked, failed, server, idle } = openBatch()
    server.refuses = new ApiError(503, 'busy')
    batch.set(NORWAY)
    batch.arrive('a')
    await idle()
    assert.equal(batch.pool.peek(), NORWAY)
    server.refuses = null
    failed[0]!.retry!()
    await idle()
    assert.deepEqual(asked, ['add norway a'])
    server.refuses = new ApiError(403, 'forbidden')
    batch.arrive('b')
    await idle()
    assert.equal(batch.pool.peek(), null)
    assert.equal(failed.at(-1)!.retry, undefined)
    batch.arrive('c')
    await idle()
    assert.equal(failed.length, 2)
  })
})
