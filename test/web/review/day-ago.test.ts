import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anywhere, dayAgo } from '../../../src/gallery/review/years-ago.ts'

const seconds = (text: string) => Date.parse(text) / 1000

describe('this day years ago', () => {
  it('is today by the clock here, on the clock of the pictures', () => {
    const late = new Date(2026, 6, 14, 23, 59)
    const day = { first: seconds('2018-07-14T00:00Z'), end: seconds('2018-07-15T00:00Z') }
    assert.deepEqual(dayAgo(late, 8), day)
    assert.deepEqual(dayAgo(new Date(2026, 6, 14), 8), day)
  })

  it('is looked for wherever it was that day', () => {
    // Noon of the day in Kiribati (+14) is long before noon on Baker Island (-12).
    assert.deepEqual(anywhere(dayAgo(new Date(2026, 6, 14, 12), 8)!), {
      from: '2018-07-13T10:00:00.000Z',
      to: '2018-07-15T12:00:00.000Z',
    })
  })

  it('is no other one on the 29th of February', () => {
    const leap = new Date(2024, 1, 29, 12)
    assert.deepEqual(
      [1, 2, 3].map((years) => dayAgo(leap, years)),
      [null, null, null],
    )
    assert.equal(dayAgo(leap, 4)!.first, seconds('2020-02-29T00:00Z'))
  })
})
