import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  bounded,
  fit,
  isWhole,
  moved,
  type Point,
  pinched,
  type Size,
  toggled,
  type View,
  zoomAt,
} from '../../../src/gallery/viewer/zoom.ts'
import { fc } from '../../support/property.ts'

const stage: Size = { width: 800, height: 600 }
const length = fc.integer({ min: 1, max: 12_000 })
const picture = fc.record({ width: length, height: length })
const place = fc.record({
  x: fc.integer({ min: 0, max: stage.width }),
  y: fc.integer({ min: 0, max: stage.height }),
})
const view = fc.record({
  scale: fc.double({ min: 0.01, max: 20, noNaN: true }),
  x: fc.integer({ min: -20_000, max: 20_000 }),
  y: fc.integer({ min: -20_000, max: 20_000 }),
})

/** Returns the pixel of the picture that lies under a point of the stage. */
function under({ scale, x, y }: View, point: Point): Point {
  return { x: (point.x - x) / scale, y: (point.y - y) / scale }
}

function assertNear(found: Point, expected: Point) {
  const off = Math.hypot(found.x - expected.x, found.y - expected.y)
  assert.ok(off < 1e-3, `${JSON.stringify(found)} is not ${JSON.stringify(expected)}`)
}

describe('zooming a picture', () => {
  it('fits all of it into the middle of the stage', () => {
    assert.deepEqual(fit({ width: 1600, height: 600 }, stage), { scale: 0.5, x: 0, y: 150 })
    assert.deepEqual(fit({ width: 300, height: 1200 }, stage), { scale: 0.5, x: 325, y: 0 })
    assert.deepEqual(fit({ width: 400, height: 300 }, stage), { scale: 2, x: 0, y: 0 })
  })

  it('keeps what is under the pointer there', () => {
    fc.assert(
      fc.property(view, place, fc.double({ min: 0.2, max: 5, noNaN: true }), (from, at, factor) => {
        assertNear(under(zoomAt(from, factor, at), at), under(from, at))
      }),
    )
  })

  it('keeps what is under each finger there, as long as they only part', () => {
    const from: [Point, Point] = [
      { x: 300, y: 300 },
      { x: 500, y: 300 },
    ]
    const to: [Point, Point] = [
      { x: 200, y: 340 },
      { x: 600, y: 340 },
    ]
    const before = { scale: 0.5, x: -40, y: 20 }
    const after = pinched(before, from, to)
    for (const finger of [0, 1] as const) {
      assertNear(under(after, to[finger]), under(before, from[finger]))
    }
    const together: [Point, Point] = [from[0], from[0]]
    assert.deepEqual(pinched(before, together, together), before)
  })

  it('leaves no part of the stage empty that the picture could fill', () => {
    fc.assert(
      fc.property(view, picture, (from, size) => {
        const { scale, x, y } = bounded(from, size, stage)
        const least = fit(size, stage).scale
        assert.ok(scale >= least && scale <= Math.max(8, least))
        const sides = [
          [x, size.width * scale, stage.width],
          [y, size.height * scale, stage.height],
        ] as const
        for (const [at, length, room] of sides) {
          if (length <= room) assert.ok(Math.abs(at - (room - length) / 2) < 1e-6)
          else assert.ok(at <= 1e-6 && at + length >= room - 1e-6)
        }
      }),
    )
  })

  it('goes to one pixel on each of the screen, and back', () => {
    const size = { width: 4000, height: 3000 }
    const whole = fit(size, stage)
    const exact = toggled(whole, size, stage, { x: 400, y: 300 }, 2)
    assert.deepEqual(exact, { scale: 0.5, x: -600, y: -450 })
    assert.equal(isWhole(exact, size, stage), false)
    assert.deepEqual(toggled(exact, size, stage, { x: 10, y: 10 }, 2), whole)
  })

  it('doubles a picture that is shown pixel by pixel already', () => {
    const size = { width: 200, height: 150 }
    const whole = fit(size, stage)
    assert.equal(toggled(whole, size, stage, { x: 0, y: 0 }, 1).scale, 8)
    const middling = { width: 790, height: 590 }
    const fitting = fit(middling, stage)
    const twice = toggled(fitting, middling, stage, { x: 0, y: 0 }, 1)
    assert.equal(twice.scale, fitting.scale * 2)
  })

  it('moves by what the pointer moved', () => {
    assert.deepEqual(moved({ scale: 2, x: 1, y: 2 }, { x: 3, y: -4 }), { scale: 2, x: 4, y: -2 })
  })
})
