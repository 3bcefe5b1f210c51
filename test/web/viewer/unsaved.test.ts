import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isBusy } from '../../../src/gallery/base/busy.ts'
import { createUnsaved } from '../../../src/gallery/viewer/unsaved.ts'

describe('what could not be saved', () => {
  // No field of the page holds a text.
  before(() => {
    Object.assign(globalThis, { document: { querySelectorAll: () => [] } })
  })
  after(() => {
    Reflect.deleteProperty(globalThis, 'document')
  })

  it('keeps the page from loading itself anew until it is saved or given up', () => {
    const notes = createUnsaved()
    notes.begin('a')('At the sea')
    assert.equal(notes.begin('a')('At the sea, again'), true)
    notes.begin('b')('In the hills')
    assert.equal(notes.get('a'), 'At the sea, again')
    assert.equal(isBusy(), true)
    notes.begin('a')
    assert.equal(notes.get('a'), undefined)
    assert.equal(isBusy(), true)
    notes.begin('b')
    notes.begin('b')
    assert.equal(isBusy(), false)
  })

  it('is given up for what was typed later, also when that was saved first', () => {
    const dates = createUnsaved()
    const keepFirst = dates.begin('a')
    const keepSecond = dates.begin('a')
    assert.equal(keepFirst('2018'), false)
    assert.equal(dates.get('a'), undefined)
    assert.equal(isBusy(), false)
    assert.equal(keepSecond('2019'), true)
    assert.equal(keepFirst('2018'), false)
    assert.equal(dates.get('a'), '2019')
    dates.begin('a')
  })
})
