import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../../src/web/app/base/error.ts'
import { createBatch } from '../../../src/web/app/upload/batch.ts'

/** A server that keeps tags of files, and may fail or take its time. */
function open() {
  const server = new Map<string, Set<string>>()
  const failures: { status: number; retry: (() => void) | undefined }[] = []
  const undoable: number[][] = []
  let failing: ApiError | null = null
  let gate = Promise.resolve()
  let last = 0
  const batch = createBatch({
    async change(action, file_ids, tag) {
      await gate
      if (failing) throw failing
      for (const id of file_ids) server.get(id)![action === 'add' ? 'add' : 'delete'](tag)
      return ++last
    },
    onChanged: (operations) => undoable.push(operations),
    onFailed: ({ status }, retry) => failures.push({ status, retry }),
  })
  return {
    batch,
    failures,
    undoable,
    /** A file that arrives, by default with the tags that it is to have now. */
    arrive(id: string, item = { tags: [] as string[] }, tags = batch.tagsOf(item)) {
      server.set(id, new Set(tags))
      batch.arrive(id, item, tags)
      return item
    },
    tags: (id: string) => [...server.get(id)!].sort(),
    fail: (error: ApiError | null) => {
      failing = error
    },
    hold() {
      let open = () => {}
      gate = new Promise((resolve) => {
        open = resolve
      })
      return open
    },
  }
}

/** Lets what is under way end. */
const rest = () => new Promise((resolve) => setImmediate(resolve))

describe('the tags of files that are sent together', () => {
  it('are put on what has arrived, and taken off again, each choice a change of its own', async () => {
    const { batch, arrive, tags, undoable } = open()
    arrive('a')
    batch.set(['x', 'y'])
    await rest()
    assert.deepEqual(tags('a'), ['x', 'y'])
    arrive('b')
    batch.set(['y'])
    await rest()
    assert.deepEqual([tags('a'), tags('b')], [['y'], ['y']])
    assert.deepEqual(undoable, [[1, 2], [3]])
  })

  it('follow a file that was sent before they were chosen', async () => {
    const { batch, arrive, tags } = open()
    const item = { tags: ['own'] }
    batch.set(['x'])
    arrive('a', item, ['own'])
    await rest()
    assert.deepEqual(tags('a'), ['own', 'x'])
  })

  it('stay chosen when one of them is settled', async () => {
    const { batch, arrive, tags } = open()
    batch.set(['fallen on', 'by hand'])
    const item = arrive('a')
    batch.settleTag('fallen on', [item])
    arrive('b')
    await rest()
    assert.deepEqual(batch.tags.value, ['by hand'])
    assert.deepEqual(tags('a'), ['by hand', 'fallen on'])
    assert.deepEqual(tags('b'), ['by hand'])
    // It has been taken out by hand before.
    batch.settleTag('gone', [item])
    assert.deepEqual(item.tags, ['fallen on'])
  })

  it('that are on their way arrive, also when the list is cleared', async () => {
    const { batch, arrive, tags, hold } = open()
    const item = arrive('a')
    const goOn = hold()
    batch.set(['x', 'y'])
    await rest()
    batch.letGo([])
    assert.deepEqual(batch.tags.value, [])
    batch.set(['of the next'])
    goOn()
    await rest()
    assert.deepEqual(tags('a'), ['x', 'y'])
    assert.deepEqual(item.tags, [])
  })

  it('are tried again when somebody says so, or with the next choice', async () => {
    const { batch, arrive, tags, fail, failures } = open()
    arrive('a')
    fail(new ApiError(0, 'no_connection'))
    batch.set(['x', 'y'])
    await rest()
    // One complaint is enough, and nothing else is tried meanwhile.
    assert.deepEqual(
      failures.map(({ status }) => status),
      [0],
    )
    fail(null)
    failures[0]!.retry!()
    await rest()
    assert.deepEqual(tags('a'), ['x', 'y'])
    fail(new ApiError(503, 'busy'))
    batch.set(['x', 'y', 'z'])
    await rest()
    batch.letGo([])
    fail(null)
    batch.set([])
    await rest()
    assert.deepEqual(tags('a'), ['x', 'y', 'z'])
  })

  it('are not tried again when that would fail, too, and the others are put on', async () => {
    const { batch, arrive, tags, fail, failures } = open()
    arrive('a')
    fail(new ApiError(404, 'not_found'))
    batch.set(['deleted'])
    await rest()
    fail(null)
    batch.set(['deleted', 'x'])
    await rest()
    assert.deepEqual(tags('a'), ['x'])
    assert.deepEqual(failures, [{ status: 404, retry: undefined }])
  })
})
