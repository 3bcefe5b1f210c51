import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../../src/gallery/base/error.ts'
import { createItem, openBatch, rest } from '../support/batch.ts'

describe('the tags of files that are sent together', () => {
  it('are put on what has arrived, and taken off again, each choice a change of its own', async () => {
    const { batch, arrive, tags, undoable } = openBatch()
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
    const { batch, arrive, requests } = openBatch()
    const sizes = () => requests().map((request) => request.split(' ').length - 2)
    for (let id = 0; id < 1000; id++) arrive(`${id}`)
    batch.set(['x'])
    await rest()
    // Files times tags may be 40,000, and 200 tags may follow.
    assert.deepEqual(sizes(), [199, 199, 199, 199, 199, 5])
    batch.set([])
    await rest()
    assert.deepEqual(sizes(), [1000])
  })

  it('follow a file that was sent before they were chosen', async () => {
    const { batch, arrive, tags } = openBatch()
    const item = createItem(['own'])
    batch.set(['x'])
    arrive('a', item, ['own'])
    await rest()
    assert.deepEqual(tags('a'), ['own', 'x'])
  })

  it('stay chosen when one of them is settled', async () => {
    const { batch, arrive, tags } = openBatch()
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
    const { batch, arrive, tags, hold } = openBatch()
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
    const { batch, arrive, tags, fail, failures } = openBatch()
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
    const { batch, arrive, tags, fail, failures } = openBatch()
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
    const { batch, arrive, fail, failures, requests } = openBatch()
    for (let id = 0; id < 200; id++) arrive(`${id}`)
    fail(new ApiError(404, 'not_found'))
    batch.set(['deleted'])
    await rest()
    assert.deepEqual([requests().length, failures.splice(0).length], [1, 1])
    arrive('late', createItem(), ['deleted'])
    batch.set(['deleted', 'full'])
    fail(new ApiError(409, 'conflict'))
    await rest()
    assert.deepEqual([requests().length, failures.length], [2, 2])
  })

  it('are put on after what nobody has foreseen, too', async () => {
    const { batch, arrive, tags, fail, failures } = openBatch()
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

  it('that follow an arrival are nobody’s change, and leave the next choice its own', async () => {
    const { batch, arrive, tags, undoable, hold } = openBatch()
    arrive('a')
    const goOn = hold()
    batch.set(['x'])
    await rest()
    arrive('film', createItem(), [])
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
    arrive('late', createItem(), [])
    await rest()
    assert.deepEqual(tags('late'), ['x', 'y'])
    assert.equal(undoable.length, 2)
  })
})

describe('a file that was here already', () => {
  it('gets the tags of the list, and keeps those that it had whatever is chosen', async () => {
    const { batch, find, tags, requests } = openBatch()
    batch.set(['beach', 'holiday'])
    find('a', ['holiday', 'old'])
    await rest()
    assert.deepEqual(tags('a'), ['beach', 'holiday', 'old'])
    assert.deepEqual(requests(), ['add beach: a'])
    batch.set([])
    await rest()
    assert.deepEqual(tags('a'), ['holiday', 'old'])
  })

  it('is asked for with others that arrive meanwhile', async () => {
    const { batch, find, hold, requests } = openBatch()
    batch.set(['beach'])
    const open = hold()
    for (const id of ['a', 'b', 'c']) find(id, [])
    open()
    await rest()
    assert.deepEqual(requests(), ['add beach: a b c'])
  })

  it('may be one of the list that came just before', async () => {
    const { batch, arrive, tags } = openBatch()
    batch.set(['beach'])
    arrive('a')
    batch.arrive('a', createItem(['own']), [], ['beach'])
    await rest()
    assert.deepEqual(tags('a'), ['beach', 'own'])
    batch.set([])
    await rest()
    assert.deepEqual(tags('a'), ['own'])
  })

  it('may be one of the list whose answer came only after', async () => {
    const { batch, find, arrive, tags } = openBatch()
    batch.set(['beach'])
    find('a', ['beach'])
    await rest()
    arrive('a')
    batch.set([])
    await rest()
    assert.deepEqual(tags('a'), [])
    batch.set(['beach'])
    await rest()
    assert.deepEqual(tags('a'), ['beach'])
  })
})

describe('tags of folders', () => {
  it('are those of each file, and go when that is taken back', async () => {
    const { batch, tagsOfFolders, arrive, tags, undoable, backs } = openBatch()
    arrive('a', createItem([], ['Trip', 'Rome']))
    arrive('b', createItem([], ['Trip']))
    tagsOfFolders.set('Trip', 'trip').set('Rome', 'rome')
    batch.followFolders(() => tagsOfFolders.clear())
    await rest()
    assert.deepEqual([tags('a'), tags('b')], [['rome', 'trip'], ['trip']])
    assert.deepEqual(undoable, [[1, 2]])
    backs[0]!()
    await rest()
    arrive('c', createItem([], ['Trip']))
    await rest()
    assert.deepEqual(tags('c'), [])
  })
})
