import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../../src/web/app/base/error.ts'
import { createBatch } from '../../../src/web/app/upload/batch.ts'

/** A server that keeps tags of files, and may fail or take its time. */
function open() {
  const server = new Map<string, Set<string>>()
  const failures: { why: unknown; action: string; retry: (() => void) | undefined }[] = []
  const undoable: number[][] = []
  const backs: (() => void)[] = []
  const requests: string[] = []
  let failing: Error | null = null
  let gate = Promise.resolve()
  let last = 0
  const batch = createBatch({
    async change(action, file_ids, tag) {
      await gate
      requests.push(`${action} ${tag}: ${file_ids.join(' ')}`)
      if (failing) throw failing
      for (const id of file_ids) server.get(id)![action === 'add' ? 'add' : 'delete'](tag)
      return ++last
    },
    onChanged(operations, back) {
      undoable.push(operations)
      backs.push(back)
    },
    onFailed(error, action, retry) {
      failures.push({ why: error instanceof ApiError ? error.status : error, action, retry })
    },
  })
  return {
    batch,
    failures,
    undoable,
    backs,
    /** What the server was asked since this was asked. */
    requests: () => requests.splice(0),
    /** A file that arrives, by default with the tags that it is to have now. */
    arrive(id: string, item = { tags: [] as string[] }, tags = batch.tagsOf(item)) {
      server.set(id, new Set(tags))
      batch.arrive(id, item, tags)
      return item
    },
    tags: (id: string) => [...server.get(id)!].sort(),
    fail: (error: Error | null) => {
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

  it('are put on as many files at once as the API takes with all tags that may follow', async () => {
    const { batch, arrive, requests } = open()
    const sizes = () => requests().map((request) => request.split(' ').length - 2)
    for (let id = 0; id < 1000; id++) arrive(`${id}`)
    batch.set(['x'])
    await rest()
    // Files times tags may be 200,000, and 200 tags may follow.
    assert.deepEqual(sizes(), [995, 5])
    batch.set([])
    await rest()
    assert.deepEqual(sizes(), [1000])
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
      failures.map(({ why }) => why),
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
    assert.deepEqual(failures, [{ why: 404, action: 'add', retry: undefined }])
  })

  it('are asked for once when it is the tag that is refused, else for other files, too', async () => {
    const { batch, arrive, fail, failures, requests } = open()
    for (let id = 0; id < 1000; id++) arrive(`${id}`)
    fail(new ApiError(404, 'not_found'))
    batch.set(['deleted'])
    await rest()
    assert.deepEqual([requests().length, failures.splice(0).length], [1, 1])
    arrive('late', { tags: [] }, ['deleted'])
    batch.set(['deleted', 'full'])
    fail(new ApiError(409, 'conflict'))
    await rest()
    assert.deepEqual([requests().length, failures.length], [2, 2])
  })

  it('are put on after what nobody has foreseen, too', async () => {
    const { batch, arrive, tags, fail, failures } = open()
    arrive('a')
    const broken = new TypeError('broken')
    fail(broken)
    batch.set(['x'])
    await rest()
    fail(null)
    failures[0]!.retry!()
    await rest()
    assert.deepEqual(tags('a'), ['x'])
    fail(new ApiError(403, 'forbidden'))
    batch.set([])
    await rest()
    assert.deepEqual(
      failures.map(({ why, action }) => [why, action]),
      [
        [broken, 'add'],
        [403, 'remove'],
      ],
    )
  })

  it('are taken back from all files when the choice is undone', async () => {
    const { batch, arrive, tags, undoable, backs, requests } = open()
    batch.set(['kept'])
    await rest()
    arrive('a')
    const sent = { tags: ['own'] }
    batch.set(['kept', 'wrong'])
    await rest()
    arrive('b', sent)
    assert.deepEqual(tags('b'), ['kept', 'own', 'wrong'])
    assert.deepEqual(undoable, [[1]])
    requests()
    // The server has taken it off the first one.
    backs[0]!()
    await rest()
    assert.deepEqual(batch.tags.value, ['kept'])
    assert.deepEqual(requests(), ['remove wrong: b'])
    arrive('c')
    assert.deepEqual(tags('c'), ['kept'])
    assert.deepEqual(undoable, [[1]])
  })

  it('are taken back together when they were put on together', async () => {
    const { batch, arrive, undoable, backs } = open()
    arrive('a')
    batch.set(['x'])
    batch.set(['x', 'y'])
    await rest()
    assert.deepEqual(undoable, [[1, 2]])
    backs[0]!()
    assert.deepEqual(batch.tags.value, [])
  })

  it('come back when leaving them out is undone, and what was chosen since stays', async () => {
    const { batch, arrive, backs, requests } = open()
    arrive('a')
    batch.set(['x', 'y'])
    await rest()
    batch.set(['y'])
    await rest()
    batch.set(['y', 'z'])
    await rest()
    requests()
    backs[1]!()
    await rest()
    assert.deepEqual(batch.tags.value, ['y', 'z', 'x'])
    assert.deepEqual(requests(), [])
  })

  it('come back to the files alone whose they were when leaving them out is undone', async () => {
    const { batch, arrive, tags, backs, requests } = open()
    batch.set(['fallen on'])
    await rest()
    const [item, late] = [arrive('a'), { tags: [] }]
    batch.set([])
    await rest()
    batch.settleTag('fallen on', [item, late])
    arrive('b')
    requests()
    // The server has put it on the first one again.
    backs[0]!()
    await rest()
    assert.deepEqual([batch.tags.value, requests()], [[], []])
    arrive('late', late)
    assert.deepEqual([tags('late'), tags('b')], [['fallen on'], []])
  })

  it('go from the files alone whose they are when choosing them is undone', async () => {
    const { batch, arrive, backs, requests } = open()
    const item = arrive('a')
    batch.set(['x'])
    await rest()
    batch.settleTag('x', [item])
    requests()
    backs[0]!()
    await rest()
    assert.deepEqual([item.tags, requests()], [[], []])
  })

  it('stay with the files alone whose they are when choosing them for the others is undone', async () => {
    const { batch, arrive, backs, requests } = open()
    const item = arrive('a')
    batch.set(['x'])
    await rest()
    batch.settleTag('x', [item])
    arrive('b')
    batch.set(['x'])
    await rest()
    assert.deepEqual(requests(), ['add x: a', 'add x: b'])
    backs[1]!()
    await rest()
    assert.deepEqual([batch.tags.value, item.tags, requests()], [[], ['x'], []])
  })

  it('stay those of the next list when a choice for the last one is undone', async () => {
    const { batch, arrive, backs } = open()
    arrive('a')
    batch.set(['x'])
    await rest()
    batch.letGo([])
    batch.set(['x'])
    backs[0]!()
    assert.deepEqual(batch.tags.value, ['x'])
  })

  it('that follow an arrival are nobody’s change, and leave the next choice its own', async () => {
    const { batch, arrive, tags, undoable, hold } = open()
    arrive('a')
    const goOn = hold()
    batch.set(['x'])
    await rest()
    arrive('film', { tags: [] }, [])
    batch.set(['x', 'y'])
    goOn()
    await rest()
    assert.deepEqual(
      [tags('a'), tags('film')],
      [
        ['x', 'y'],
        ['x', 'y'],
      ],
    )
    assert.equal(undoable.length, 2)
    arrive('late', { tags: [] }, [])
    await rest()
    assert.deepEqual(tags('late'), ['x', 'y'])
    assert.equal(undoable.length, 2)
  })
})
