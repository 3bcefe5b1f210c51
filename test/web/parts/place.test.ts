import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { placeAt } from '../../../src/gallery/parts/place.ts'

const WINDOW = { width: 1000, height: 800 }
const SIZE = { width: 200, height: 300 }
const button = (left: number, top: number) => ({ left, top, right: left + 40, bottom: top + 40 })

describe('what opens at a button', () => {
  it('stands below it, left edges in line', () => {
    assert.deepEqual(placeAt(button(100, 100), SIZE, WINDOW), { left: 100, top: 144 })
  })

  it('stands above it where there is more room', () => {
    assert.deepEqual(placeAt(button(100, 700), SIZE, WINDOW), { left: 100, top: 396 })
  })

  it("has its right edge in line at the window's right", () => {
    assert.deepEqual(placeAt(button(950, 100), SIZE, WINDOW), { left: 790, top: 144 })
  })

  it('never leaves the window', () => {
    assert.deepEqual(placeAt(button(0, 380), { width: 990, height: 790 }, WINDOW), {
      left: 8,
      top: 8,
    })
  })
})
