import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { differenceOf } from '../../../src/gallery/duplicates/format.ts'

const pixels = (...colours: [number, number, number][]) =>
  new Uint8ClampedArray(colours.flatMap((colour) => [...colour, 255]))

describe('the difference of two pictures', () => {
  const a = pixels([0, 0, 0], [100, 100, 100], [100, 100, 100], [255, 255, 255])
  const b = pixels([0, 0, 0], [124, 100, 100], [100, 125, 100], [255, 255, 0])

  it('is the part of the pixels of which a colour differs by more than the threshold', () => {
    assert.equal(differenceOf(a, b, 24).share, 0.5)
    assert.equal(differenceOf(a, b, 23).share, 0.75)
    assert.equal(differenceOf(a, b, 255).share, 0)
    assert.equal(differenceOf(a, a, 0).share, 0)
  })

  it('is shown in red over grey', () => {
    const shown = differenceOf(a, b, 24).pixels
    const isRed = [0, 4, 8, 12].map((at) => shown[at]! > shown[at + 1]!)
    assert.deepEqual(isRed, [false, false, true, true])
    assert.deepEqual([shown[4], shown[5]], [shown[5], shown[6]])
    assert.ok([3, 7, 11, 15].every((at) => shown[at] === 255))
  })
})
