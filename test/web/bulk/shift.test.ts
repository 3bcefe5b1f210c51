import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { minutesOf } from '../../../src/gallery/bulk/zones.ts'

describe('new dates', () => {
  it('are moved by days, hours and minutes, both ways', () => {
    const shift = { days: 2, hours: 1, minutes: 30, isEarlier: false }
    assert.equal(minutesOf(shift), 2970)
    assert.equal(minutesOf({ ...shift, isEarlier: true }), -2970)
  })

  it('are not moved by nothing, and not by what is no number', () => {
    const none = { days: 0, hours: 0, minutes: 0, isEarlier: true }
    assert.equal(Object.is(minutesOf(none), 0), true)
    assert.equal(minutesOf({ ...none, hours: Number.NaN }), 0)
    assert.equal(minutesOf({ ...none, days: 999_999_999 }), 0)
  })
})
