import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  applied,
  followsOf,
  mergedCommon,
  type OnFiles,
} from '../../../src/gallery/tag-box/edits.ts'

const follows = followsOf([
  { when_tag_id: 'Arezzo', then_tag_id: 'trip', is_active: true },
  { when_tag_id: 'trip', then_tag_id: 'holiday', is_active: true },
])
const hand = (id: string): OnFiles => ({ id, on: 'all', byRule: false })
const rule = (id: string): OnFiles => ({ id, on: 'all', byRule: true })

describe('tags that are being put on', () => {
  it('are there at once, with what comes along by rules', () => {
    const after = applied([hand('work')], [{ action: 'add', ids: ['Arezzo'] }], follows)
    assert.deepEqual(after, [hand('work'), hand('Arezzo'), rule('trip'), rule('holiday')])
  })

  it('leave those by hand that were, and complete those on some files', () => {
    const some: OnFiles = { id: 'trip', on: 'some', byRule: false }
    const after = applied([some], [{ action: 'add', ids: ['Arezzo'] }], follows)
    assert.deepEqual(after, [hand('trip'), hand('Arezzo'), rule('holiday')])
  })

  it('go one after the other, those that are taken off too', () => {
    const edits = [
      { action: 'add' as const, ids: ['Arezzo'] },
      { action: 'remove' as const, ids: ['trip', 'work'] },
      { action: 'add' as const, ids: ['trip'] },
    ]
    const after = applied([hand('work')], edits, follows)
    assert.deepEqual(after, [hand('Arezzo'), rule('holiday'), hand('trip')])
  })
})

describe('tags of many files', () => {
  it('are common when they are in each part, and partial when they are in one', () => {
    const parts = [
      { common_tag_ids: ['a', 'b'], partial_tag_ids: ['c'] },
      { common_tag_ids: ['a', 'c'], partial_tag_ids: ['d'] },
    ]
    assert.deepEqual(mergedCommon(parts), { common: ['a'], partial: ['b', 'c', 'd'] })
  })
})
