import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isBusy } from '../../../src/web/app/base/busy.ts'
import { createUnsaved } from '../../../src/web/app/viewer/unsaved.ts'

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
    notes.keep('a', 'At the sea')
    notes.keep('a', 'At the sea, again')
    notes.keep('b', 'In the hills')
    assert.equal(notes.get('a'), 'At the sea, again')
    assert.equal(isBusy(), true)
    notes.forget('a')
    assert.equal(notes.get('a'), undefined)
    assert.equal(isBusy(), true)
    notes.forget('b')
    notes.forget('b')
    assert.equal(isBusy(), false)
  })
})
