import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { when } from '../../../src/gallery/base/format.ts'

const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString()

describe('when something happened', () => {
  it('has the day in words if it was today or yesterday, and else the date with its year', () => {
    const now = new Date(2026, 10, 23, 18, 30)
    assert.equal(when(at(2026, 10, 23, 18, 2), now), 'today, 18:02')
    assert.equal(when(at(2026, 10, 22, 23, 59), now), 'yesterday, 23:59')
    assert.equal(when(at(2026, 10, 21, 23, 59), now), '21 November 2026 at 23:59')
    assert.equal(when(at(2025, 10, 23, 18, 2), now), '23 November 2025 at 18:02')
  })
})
