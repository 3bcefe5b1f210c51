import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cardsBetween } from '../../../src/gallery/pools/cards.ts'

const ROWS = { columns: 3, pitch: 100 }

describe('cards in rows', () => {
  it('are drawn by whole rows, with room for those before and after', () => {
    assert.deepEqual(cardsBetween(20, ROWS, 150, 310), {
      first: 3,
      end: 12,
      above: 100,
      below: 300,
    })
    assert.deepEqual(cardsBetween(20, ROWS, -400, 90), { first: 0, end: 3, above: 0, below: 600 })
  })

  it('end with the last row, which may be short', () => {
    assert.deepEqual(cardsBetween(20, ROWS, 600, 900), { first: 18, end: 20, above: 600, below: 0 })
    assert.deepEqual(cardsBetween(20, ROWS, 2000, 2300), {
      first: 21,
      end: 20,
      above: 700,
      below: 0,
    })
    assert.deepEqual(cardsBetween(0, ROWS, 0, 300), { first: 0, end: 0, above: 0, below: 0 })
  })
})
