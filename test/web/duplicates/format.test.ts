import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ago } from '../../../src/gallery/duplicates/format.ts'

describe('how long ago something was', () => {
  it('is told in the largest unit that it fills', () => {
    const now = Date.UTC(2024, 5, 1)
    const before = (seconds: number) => ago(now - seconds * 1000, now)
    assert.equal(before(20), 'now')
    assert.equal(before(110), '2 minutes ago')
    assert.equal(before(2 * 3600 + 60), '2 hours ago')
    assert.equal(before(86_400), 'yesterday')
    assert.equal(before(3 * 86_400), '3 days ago')
    assert.equal(before(800 * 86_400), '2 years ago')
  })
})
