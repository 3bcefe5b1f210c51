import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lookOf, seenPart, viewOf, WHOLE } from '../../../src/gallery/duplicates/step.ts'
import { fit } from '../../../src/gallery/viewer/zoom.ts'
import { fc } from '../../support/property.ts'

const stage = { width: 700, height: 600 }
const length = fc.integer({ min: 1, max: 12_000 })
const size = fc.record({ width: length, height: length })
const look = fc.record({
  zoom: fc.double({ min: 1, max: 20, noNaN: true }),
  x: fc.double({ min: 0, max: 1, noNaN: true }),
  y: fc.double({ min: 0, max: 1, noNaN: true }),
})
const close = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a))

describe('two pictures in step', () => {
  it('lie at the same place of the stage when they have the same shape, whatever their sizes', () => {
    fc.assert(
      fc.property(size, fc.integer({ min: 2, max: 9 }), look, (picture, times, at) => {
        const large = { width: picture.width * times, height: picture.height * times }
        const [a, b] = [viewOf(at, picture, stage), viewOf(at, large, stage)]
        assert.ok(close(a.x, b.x) && close(a.y, b.y) && close(a.scale, b.scale * times))
      }),
    )
  })

  it('are both whole at first', () => {
    fc.assert(
      fc.property(size, (picture) => {
        const [view, whole] = [viewOf(WHOLE, picture, stage), fit(picture, stage)]
        assert.ok(close(view.x, whole.x) && close(view.y, whole.y))
        assert.equal(view.scale, whole.scale)
      }),
    )
  })

  it('show the same point in the middle, and as much larger, after one was moved', () => {
    fc.assert(
      fc.property(size, look, (picture, at) => {
        const again = lookOf(viewOf(at, picture, stage), picture, stage)
        assert.ok(close(again.zoom, at.zoom) && close(again.x, at.x) && close(again.y, at.y))
      }),
    )
  })
})

describe('the part of a picture that is seen', () => {
  it('is all of it while it is whole', () => {
    const picture = { width: 4000, height: 3000 }
    const part = seenPart(viewOf(WHOLE, picture, stage), picture, stage)
    assert.deepEqual(part, { left: 0, top: 0, width: 1, height: 1 })
  })

  it('is where the stage cuts it', () => {
    // 1400 by 1200 stage pixels, of which the stage shows the right half from above.
    const picture = { width: 700, height: 600 }
    const part = seenPart({ scale: 2, x: -700, y: 0 }, picture, stage)
    assert.deepEqual(part, { left: 0.5, top: 0, width: 0.5, height: 0.5 })
  })
})
