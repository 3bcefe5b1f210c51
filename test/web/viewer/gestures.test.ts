import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { swipeOf } from '../../../src/gallery/viewer/gestures.ts'

describe('a drag over a picture', () => {
  it('leads on when it is long enough, however slow', () => {
    assert.equal(swipeOf({ x: -90, y: 20 }, 2000), 'left')
    assert.equal(swipeOf({ x: 90, y: -20 }, 2000), 'right')
    assert.equal(swipeOf({ x: 20, y: 90 }, 2000), 'down')
  })

  it('leads on when it is short and quick', () => {
    assert.equal(swipeOf({ x: -30, y: 0 }, 40), 'left')
    assert.equal(swipeOf({ x: 0, y: 30 }, 40), 'down')
  })

  it('leads nowhere when it is short and slow, a tap, or goes up', () => {
    assert.equal(swipeOf({ x: -60, y: 0 }, 400), null)
    assert.equal(swipeOf({ x: 3, y: 2 }, 1), null)
    assert.equal(swipeOf({ x: 0, y: -300 }, 100), null)
  })
})
