import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { afterSteps, readProgress } from '../../../src/gallery/welcome/steps.ts'

describe('the steps of the first hour', () => {
  it('are open until each is done or skipped', () => {
    assert.equal(readProgress('').isOpen, false)
    const first = readProgress('open')
    assert.deepEqual(first, { isOpen: true, skipped: [] })
    const second = readProgress(afterSteps(['tags'], ['pictures']))
    assert.deepEqual(second, { isOpen: true, skipped: ['tags'] })
    const last = afterSteps(['tags'], ['pictures', 'people'])
    assert.deepEqual(readProgress(last), { isOpen: false, skipped: [] })
    assert.notEqual(last, '')
  })

  it('take no step for one that they do not know', () => {
    assert.deepEqual(readProgress('open tags dances').skipped, ['tags'])
  })
})
