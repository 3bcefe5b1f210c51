import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openArrived } from '../../../src/gallery/upload/arrived.ts'

it('knows what has arrived by its key and by its id, until it is deleted, also without a database', async () => {
  const arrived = await openArrived(1)
  arrived.add('a.jpg', 'id of a')
  arrived.add('b.jpg', 'id of b')
  assert.equal(arrived.idOf('a.jpg'), 'id of a')
  assert.deepEqual(
    ['id of a', 'id of c', 'a.jpg'].map((id) => arrived.holds(id)),
    [true, false, false],
  )
  arrived.evict(['id of a', 'id of c'])
  assert.equal(arrived.idOf('a.jpg'), undefined)
  assert.equal(arrived.idOf('b.jpg'), 'id of b')
})

it('forgets all files of one content when it is deleted', async () => {
  const arrived = await openArrived(3)
  arrived.add('a.jpg', 'id of both')
  arrived.add('copy of a.jpg', 'id of both')
  arrived.evict(['id of both'])
  assert.equal(arrived.idOf('a.jpg'), undefined)
  assert.equal(arrived.idOf('copy of a.jpg'), undefined)
})

it('forgets none that was sent again since it was deleted', async () => {
  const arrived = await openArrived(2)
  arrived.add('a.jpg', 'id before')
  arrived.add('a.jpg', 'id after')
  arrived.evict(['id before'])
  assert.equal(arrived.idOf('a.jpg'), 'id after')
})
