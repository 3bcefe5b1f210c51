import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openBatch, rest } from '../support/batch.ts'

describe('the tags of files that are sent together, once their choice is undone', () => {
  it('are taken back from all files when the choice is undone', async () => {
    const { batch, arrive, tags, undoable, backs, requests } = openBatch()
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
    const { batch, arrive, undoable, backs } = openBatch()
    arrive('a')
    batch.set(['x'])
    batch.set(['x', 'y'])
    await rest()
    assert.deepEqual(undoable, [[1, 2]])
    backs[0]!()
    assert.deepEqual(batch.tags.value, [])
  })

  it('come back when leaving them out is undone, and what was chosen since stays', async () => {
    const { batch, arrive, backs, requests } = openBatch()
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
    const { batch, arrive, tags, backs, requests } = openBatch()
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
    const { batch, arrive, backs, requests } = openBatch()
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
    const { batch, arrive, backs, requests } = openBatch()
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
    const { batch, arrive, backs } = openBatch()
    arrive('a')
    batch.set(['x'])
    await rest()
    batch.letGo([])
    batch.set(['x'])
    backs[0]!()
    assert.deepEqual(batch.tags.value, ['x'])
  })
})
