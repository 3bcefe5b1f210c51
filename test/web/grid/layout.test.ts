import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { justify, type Measure, type Row } from '../../../src/gallery/grid/layout.ts'
import { fc } from '../../support/property.ts'

const measure: Measure = { width: 1000, rowHeight: 176, gap: 4 }
const rowsOf = (ratios: number[], fills = false, given = measure) =>
  justify(ratios, [0, ratios.length], given, fills)
const widthOf = (row: Row) => row.lefts.at(-1)! - measure.gap

const library = fc.array(fc.double({ min: 0.2, max: 6, noNaN: true }), {
  minLength: 1,
  maxLength: 120,
})
const anyMeasure = fc.record({
  width: fc.integer({ min: 300, max: 2600 }),
  rowHeight: fc.integer({ min: 80, max: 300 }),
  gap: fc.constantFrom(3, 4),
})

describe('justified rows', () => {
  test('each row but the last fills the width to the pixel', () => {
    fc.assert(
      fc.property(library, anyMeasure, (ratios, given) => {
        for (const row of rowsOf(ratios, false, given).slice(0, -1)) {
          assert.equal(row.lefts.at(-1)! - given.gap, given.width)
        }
      }),
    )
  })

  test('the rows hold each file once, in order', () => {
    fc.assert(
      fc.property(library, anyMeasure, fc.boolean(), (ratios, given, fills) => {
        const held = rowsOf(ratios, fills, given).flatMap(({ first, end, lefts }) => {
          assert.equal(lefts.length, end - first + 1)
          return Array.from({ length: end - first }, (_, at) => first + at)
        })
        assert.deepEqual(held, [...ratios.keys()])
      }),
    )
  })

  test('a file without a tile stands behind the one before it, and takes no room', () => {
    const behind = fc.array(fc.nat(3), { minLength: 120, maxLength: 120 })
    fc.assert(
      fc.property(library, behind, anyMeasure, fc.boolean(), (ratios, counts, given, fills) => {
        const stacked = ratios.flatMap((ratio, at) => [ratio, ...Array(counts[at]!).fill(0)])
        const rows = rowsOf(stacked, fills, given)
        assert.deepEqual(
          rows.map(({ first, end, y, height, lefts }) => {
            const tiles = [...lefts.slice(1)].filter((_, at) => stacked[first + at]! > 0)
            const files = stacked.slice(first, end)
            assert.ok(files[0]! > 0, 'no row begins without a tile')
            files.forEach((ratio, at) => {
              if (ratio === 0) assert.equal(lefts[at + 1], lefts[at])
            })
            return { y, height, lefts: [0, ...tiles] }
          }),
          rowsOf(ratios, fills, given).map(({ y, height, lefts }) => ({
            y,
            height,
            lefts: [...lefts],
          })),
        )
        assert.equal(rows.at(-1)!.end, stacked.length)
      }),
    )
  })

  test('rows stand below each other, a gap between them', () => {
    fc.assert(
      fc.property(library, anyMeasure, (ratios, given) => {
        let y = 0
        for (const row of rowsOf(ratios, false, given)) {
          assert.equal(row.y, y)
          y += row.height + given.gap
        }
      }),
    )
  })

  test('a picture keeps its ratio but for the rounding to pixels', () => {
    fc.assert(
      fc.property(library, anyMeasure, (ratios, given) => {
        for (const { first, height, lefts } of rowsOf(ratios, false, given)) {
          lefts.slice(1).forEach((left, at) => {
            const width = left - lefts[at]! - given.gap
            const ratio = ratios[first + at]!
            // A rounded height differs by half a pixel, which a wide picture multiplies.
            assert.ok(Math.abs(width - ratio * height) <= 1 + ratio / 2, `${width} of ${height}`)
          })
        }
      }),
    )
  })

  test('rows of ordinary pictures stay near the wanted height', () => {
    const ordinary = fc.array(fc.constantFrom(4 / 3, 3 / 4, 3 / 2, 2 / 3, 16 / 9, 1), {
      minLength: 30,
      maxLength: 120,
    })
    fc.assert(
      fc.property(ordinary, (ratios) => {
        for (const { height } of rowsOf(ratios).slice(0, -1)) {
          assert.ok(height > 140 && height < 220, `${height}`)
        }
      }),
    )
  })

  test('the last row keeps the wanted height and is as wide as its pictures', () => {
    const rows = rowsOf(Array(6).fill(4 / 3))
    assert.deepEqual(
      rows.map(({ first, end, height }) => [first, end, height]),
      [
        [0, 4, 185],
        [4, 6, 176],
      ],
    )
    assert.equal(widthOf(rows[1]!), Math.round((2 * 4 * 176) / 3) + 4)
  })

  test('the last row fills the width when the day goes on behind it', () => {
    fc.assert(
      fc.property(library, (ratios) => {
        const rows = rowsOf(ratios, true)
        if (rows.length < 2) return
        assert.equal(widthOf(rows.at(-1)!), measure.width)
      }),
    )
  })

  test('a day that goes on after a single picture has no picture of half a screen', () => {
    const [row] = rowsOf([0.75], true)
    assert.equal(row!.height, 176)
  })

  test('a row may begin anywhere in the block', () => {
    const [row] = justify([9, 9, 1, 1], [2, 4], measure, false)
    assert.deepEqual([row!.first, row!.end, row!.y, [...row!.lefts]], [2, 4, 0, [0, 180, 360]])
  })
})
