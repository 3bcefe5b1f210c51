import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CALM, createPace } from '../../../src/gallery/grid/scroller.ts'

/** Moves `px` every 16 ms, `frames` times, and returns the pace with the time of the last move. */
function moving(px: number, frames = 10) {
  const pace = createPace()
  for (let frame = 0; frame < frames; frame++) pace.moved(frame * px, frame * 16)
  return { pace, now: (frames - 1) * 16 }
}

describe('pace', () => {
  test('is fast above 6 px/ms, in both directions', () => {
    for (const [px, isFast] of [
      [16 * 5, false],
      [16 * 7, true],
      [-16 * 7, true],
      [-16 * 5, false],
    ] as const) {
      const { pace, now } = moving(px)
      assert.equal(pace.isFast(now), isFast, `${px} px a frame`)
    }
  })

  test('is over after 90 ms without a move, when the view is looked at for the last time', () => {
    const { pace, now } = moving(1000)
    assert.equal(pace.isFast(now + CALM - 1), true)
    assert.equal(pace.isFast(now + CALM), false)
  })

  test('a single jump is not fast', () => {
    const pace = createPace()
    pace.moved(0, 0)
    pace.moved(20_000_000, 5000)
    assert.equal(pace.isFast(5000), false)
  })

  test('slows down with the view', () => {
    const pace = createPace()
    let y = 0
    for (let now = 0; now < 160; now += 16) {
      y += 400
      pace.moved(y, now)
    }
    for (let now = 160; now < 320; now += 16) {
      y += 10
      pace.moved(y, now)
    }
    assert.equal(pace.isFast(304), false)
  })
})
