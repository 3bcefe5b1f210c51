import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  bars,
  monthAt,
  monthsOf,
  positionOf,
  yearMarks,
} from '../../../../src/gallery/grid/scrubber/months.ts'

const bucket = (key: string, count: number) => ({ key, count, ratio: count, cursor: null })
const YEARS = monthsOf(['2019-02', '2018-07', '2018-01', '2017-12'].map((key) => bucket(key, 250)))

describe('the months of a timeline', () => {
  test('the parts of a month are one month, and empty ones are none', () => {
    assert.deepEqual(
      monthsOf([
        bucket('2018-07', 4000),
        bucket('2018-07', 12),
        bucket('2018-06', 0),
        bucket('2018-05', 3),
      ]),
      [
        { key: '2018-07', first: 0, count: 4012 },
        { key: '2018-05', first: 4012, count: 3 },
      ],
    )
  })

  test('a position is in its month', () => {
    assert.deepEqual(
      [0, 249, 250, 999, 5000].map((position) => monthAt(YEARS, position)),
      [0, 0, 1, 3, 3],
    )
  })
})

describe('the scrubber', () => {
  test('years stand in proportion to their files, where each begins', () => {
    assert.deepEqual(yearMarks(YEARS, 1000, 800), [
      { at: 0, year: '2019' },
      { at: 0.25, year: '2018' },
      { at: 0.75, year: '2017' },
    ])
  })

  test('of years that would cover each other, the first is told', () => {
    assert.deepEqual(
      yearMarks(YEARS, 1000, 60).map(({ year }) => year),
      ['2019', '2017'],
    )
  })

  test('the fullest month has the longest bar', () => {
    const months = monthsOf([bucket('2018-07', 100), bucket('2018-06', 25)])
    assert.deepEqual(bars(months, 125, 800), [
      { at: 0, length: 1 },
      { at: 0.8, length: 0.5 },
    ])
  })

  test('a pixel that covers much of a month leads to its first file', () => {
    const months = monthsOf(Array.from({ length: 240 }, (_, at) => bucket(`${at}`, 1000)))
    assert.equal(positionOf(months, 240_000, { share: 0.50123, height: 800 }), 120_000)
    assert.equal(positionOf(months, 240_000, { share: 0, height: 800 }), 0)
    assert.equal(positionOf(months, 240_000, { share: 0.996, height: 800 }), 239_000)
  })

  test('its last pixels lead to the last file', () => {
    const months = monthsOf([bucket('2018-07', 1000), bucket('2018-06', 100)])
    for (const share of [798 / 800, 1]) {
      assert.equal(positionOf(months, 1100, { share, height: 800 }), 1099)
    }
  })

  test('in a month of many pixels it leads to the file in proportion', () => {
    const months = monthsOf([bucket('2018-07', 300), bucket('2018-06', 100)])
    assert.equal(positionOf(months, 400, { share: 0.5, height: 800 }), 200)
    assert.equal(positionOf(months, 400, { share: 1, height: 800 }), 399)
  })
})
