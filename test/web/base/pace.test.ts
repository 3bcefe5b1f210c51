import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPace } from '../../../src/gallery/base/pace.ts'

describe('how quickly something goes on', () => {
  it('is told of the last ten seconds', () => {
    const pace = createPace()
    assert.equal(pace.note(0, 0), null)
    assert.equal(pace.note(500, 500), null)
    assert.equal(pace.note(2000, 1000), 2000)
    for (let second = 2; second <= 30; second++) pace.note(2000 + 100 * (second - 1), second * 1000)
    assert.equal(pace.note(5000, 31_000), 100)
    assert.equal(pace.note(10, 32_000), null)
  })
})
