import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  BLOCK,
  type Bucket,
  estimate,
  HIGHEST,
  indexAt,
  placeBox,
  planSpans,
  stack,
  windowOf,
} from '../../../src/gallery/grid/engine.ts'
import { fc } from '../../support/property.ts'

const bucket = (key: string, count: number): Bucket => ({
  key,
  count,
  ratio: count * 1.5,
  cursor: `at ${key}`,
})

describe('blocks of a listing', () => {
  test('a month of more than 400 files is cut, and only its first block has a cursor', () => {
    assert.deepEqual(
      planSpans([bucket('2018-07', 900)]).map(({ first, count, run, cursor, goesOn }) => ({
        first,
        count,
        run,
        cursor,
        goesOn,
      })),
      [
        { first: 0, count: 400, run: 0, cursor: 'at 2018-07', goesOn: true },
        { first: 400, count: 400, run: 0, cursor: null, goesOn: true },
        { first: 800, count: 100, run: 0, cursor: null, goesOn: false },
      ],
    )
  })

  test('small months share a block', () => {
    const spans = planSpans([bucket('2018-07', 150), bucket('2018-06', 250), bucket('2018-05', 1)])
    assert.deepEqual(
      spans.map(({ first, count, run, cursor, ratio }) => ({ first, count, run, cursor, ratio })),
      [
        { first: 0, count: 400, run: 0, cursor: 'at 2018-07', ratio: 600 },
        { first: 400, count: 1, run: 1, cursor: 'at 2018-05', ratio: 1.5 },
      ],
    )
  })

  test('a part of a month goes on in its next part', () => {
    const spans = planSpans([bucket('2018-07', 400), bucket('2018-07', 300), bucket('2018-06', 9)])
    assert.deepEqual(
      spans.map(({ count, goesOn }) => [count, goesOn]),
      [
        [400, true],
        [309, false],
      ],
    )
  })

  test('empty months are no blocks', () => {
    assert.deepEqual(planSpans([bucket('2018-07', 0)]), [])
  })

  test('blocks hold every file once, whatever the months, and none holds more than 400', () => {
    const months = fc.array(fc.integer({ min: 0, max: 4000 }), { maxLength: 60 })
    fc.assert(
      fc.property(months, (counts) => {
        const spans = planSpans(counts.map((count, index) => bucket(`${index}`, count)))
        let first = 0
        spans.forEach((span, index) => {
          assert.equal(span.first, first)
          assert.ok(span.count > 0 && span.count <= BLOCK)
          assert.ok(spans[span.run]!.cursor !== null && span.run <= index)
          first += span.count
        })
        assert.equal(
          first,
          counts.reduce((sum, count) => sum + count, 0),
        )
      }),
    )
  })
})

describe('estimate', () => {
  const look = { width: 1000, rowHeight: 200, gap: 4, heading: 40 }

  test('is that of filled rows, half a row for each day, and the headings', () => {
    // 50 of ratio 1 are 10 rows of 200; two days add one row and two headings.
    assert.equal(estimate({ ratio: 50, days: 2 }, look), 11 * 204 + 80)
  })

  test('is never less than a row', () => {
    assert.equal(estimate({ ratio: 0.5, days: 0 }, look), 204)
  })
})

describe('a stack of heights', () => {
  test('tells what stands at a height, the first or last one outside', () => {
    const tops = stack([10, 20, 30])
    assert.deepEqual([...tops], [0, 10, 30, 60])
    assert.deepEqual(
      [-5, 0, 9, 10, 29, 30, 59, 60, 1e9].map((y) => indexAt(tops, y)),
      [0, 0, 0, 1, 1, 2, 2, 2, 2],
    )
  })

  test('tells what a window touches', () => {
    const tops = stack([10, 20, 30])
    assert.deepEqual(windowOf(tops, 0, 10), [0, 1])
    assert.deepEqual(windowOf(tops, 9, 11), [0, 2])
    assert.deepEqual(windowOf(tops, 15, 31), [1, 3])
    assert.deepEqual(windowOf(tops, -50, 0), [0, 0])
    assert.deepEqual(windowOf(tops, 60, 99), [0, 0])
    assert.deepEqual(windowOf(stack([]), 0, 99), [0, 0])
  })

  test('finds each of 100,000,000 px', () => {
    const tops = stack(Array(2500).fill(40_000))
    assert.equal(tops.at(-1), 1e8)
    fc.assert(
      fc.property(fc.double({ min: 0, max: 99_999_999, noNaN: true }), (y) => {
        assert.equal(indexAt(tops, y), Math.floor(y / 40_000))
      }),
    )
  })
})

describe('the box that scrolls', () => {
  const view = 900
  const start = { height: 0, base: 0 }
  const place = (box: typeof start, y: number, total: number, isCalm = false) =>
    placeBox(box, { y, total, view, isCalm })

  test('is the listing itself as long as that is low enough', () => {
    assert.deepEqual(place(start, 0, 120_000), { height: 120_000, base: 0 })
    assert.deepEqual(place(start, 0, HIGHEST), { height: HIGHEST, base: 0 })
  })

  test('is never higher than 4,000,000 px, and always holds the view', () => {
    const total = 1e8
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: total - view }), { maxLength: 40 }),
        fc.boolean(),
        (jumps, isCalm) => {
          let box = start
          for (const y of jumps) {
            box = place(box, y, total, isCalm)
            assert.equal(box.height, 4_000_000)
            assert.ok(y >= box.base && y + view <= box.base + box.height)
            assert.ok(box.base >= 0 && box.base + box.height <= total)
          }
        },
      ),
    )
  })

  test('reaches the end of 100,000,000 px by scrolling, moved once in about 2,000,000 px', () => {
    const total = 1e8
    let box = place(start, 0, total)
    let moves = 0
    let y = 0
    while (y < total - view) {
      // A browser can't scroll beyond the box.
      y = Math.min(y + 700, box.base + box.height - view)
      const next = place(box, y, total)
      if (next.base !== box.base) moves++
      box = next
    }
    assert.equal(y, total - view)
    assert.equal(box.base, total - HIGHEST)
    assert.ok(moves > 40 && moves < 62, `${moves}`)
  })

  test('comes back to the very top', () => {
    let box = place(start, 50_000_000, 1e8)
    let y = 50_000_000
    while (y > 0) {
      y = Math.max(y - 900, box.base)
      box = place(box, y, 1e8)
    }
    assert.deepEqual(box, { height: HIGHEST, base: 0 })
  })

  test('stays where it is after a correction, until the view is calm', () => {
    const corrected = { height: 100_000, base: -300 }
    assert.deepEqual(place(corrected, 50_000, 99_700), { height: 99_700, base: -300 })
    assert.deepEqual(place(corrected, 50_000, 99_700, true), { height: 99_700, base: 0 })
  })

  test('is put right at its ends at once, where a correction would show emptiness', () => {
    assert.equal(place({ height: 100_000, base: -300 }, 40, 99_700).base, 0)
    assert.equal(place({ height: HIGHEST, base: 300 }, 40, 1e8).base, 0)
  })
})
