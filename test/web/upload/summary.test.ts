import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Item } from '../../../src/gallery/upload/queue.ts'
import { isAskedAbout, shownOf, summaryOf } from '../../../src/gallery/upload/summary.ts'

function item(state: Item['state'], name: string, sent = 0): Item {
  const file = new File([new Uint8Array(100)], name)
  return { key: name, file, folders: [], tags: [], state, sent, tries: 1 }
}

describe('how far uploads are', () => {
  it('is told in files and in bytes, without those that were refused', () => {
    const items = [
      item('done', 'a', 100),
      // A form is a little longer than its file.
      item('sending', 'b', 130),
      item('waiting', 'c'),
      item('refused', 'd'),
      item('failed', 'e'),
    ]
    assert.deepEqual(summaryOf(items), {
      total: 5,
      done: 1,
      here: 0,
      trashed: 0,
      damaged: 0,
      reading: 0,
      failed: 1,
      refused: 1,
      isActive: true,
      sent: 200,
      bytes: 400,
    })
    assert.equal(summaryOf([item('failed', 'a'), item('done', 'b')]).isActive, false)
  })

  it('tells how many the server still reads once all is sent', () => {
    const [sent, other] = [item('sending', 'a', 100), item('sending', 'b', 90)]
    assert.equal(summaryOf([sent, other]).reading, 0)
    other.sent = 100
    assert.equal(summaryOf([sent, other, item('done', 'c')]).reading, 2)
    assert.equal(summaryOf([sent, other, item('waiting', 'd')]).reading, 0)
    assert.equal(summaryOf([item('done', 'c', 100)]).reading, 0)
  })

  it('counts what seems damaged', () => {
    assert.equal(
      summaryOf([{ ...item('done', 'half'), isDamaged: true }, item('done', 'a')]).damaged,
      1,
    )
  })

  it('counts what was here already, and what of it is in the trash', () => {
    const here = { id: 'id', isInTrash: false, tags: [], by: null }
    const items = [
      item('done', 'new', 100),
      { ...item('done', 'known', 100), here },
      { ...item('done', 'trashed', 100), here: { ...here, isInTrash: true } },
    ]
    const { done, here: found, trashed } = summaryOf(items)
    assert.deepEqual({ done, found, trashed }, { done: 3, found: 2, trashed: 1 })
  })

  it('shows what is under way and what went wrong before what waits and what has arrived', () => {
    const items = [
      item('done', 'first'),
      item('done', 'second'),
      item('waiting', 'later'),
      item('refused', 'notes'),
      item('sending', 'now'),
      item('failed', 'film'),
    ]
    const names = (most: number) => shownOf(items, most).map(({ key }) => key)
    assert.deepEqual(names(9), ['now', 'film', 'notes', 'later', 'second', 'first'])
    assert.deepEqual(names(4), ['now', 'film', 'notes', 'later'])
  })

  it('compares only the last files of a long list with the library', () => {
    const items = Array.from({ length: 60 }, (_, place) => item('done', String(place)))
    const asked = items.filter((one) => isAskedAbout(one, items))
    assert.deepEqual(asked, items.slice(10))
    assert.equal(isAskedAbout(item('done', 'dropped'), items), false)
  })
})
