import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createGeometry, stepFrom } from '../../../src/gallery/grid/geometry.ts'

import type { Block } from '../../../src/gallery/grid/listing/blocks.ts'
import type { Columns } from '../../../src/gallery/grid/listing/columns.ts'

const look = { width: 400, rowHeight: 100, gap: 0, heading: 30 }
const DAY = 86_400

/** Files of ratio 1, so four in a row; a day for each number, which is how many files it has. */
function filesOf(days: number[], lastDay = 1000): Columns {
  const t = days.flatMap((count, at) => Array<number>(count).fill((lastDay - at) * DAY))
  return {
    ids: t.map((_, at) => `${lastDay}/${at}`),
    t,
    r: t.map(() => 100),
    k: 'j'.repeat(t.length),
    h: t.map(() => null),
    f: t.map(() => 0),
    d: t.map(() => null),
    v: t.map(() => ''),
  }
}

function blockOf(first: number, files: Columns | null, count = files!.ids.length): Block {
  return { first, count, ratio: count, days: 1, run: 0, cursor: '', goesOn: false, files }
}

describe('geometry', () => {
  test('stacks the days of a block, each with its heading and its rows', () => {
    const geometry = createGeometry([blockOf(0, filesOf([5, 2]))], look, true)
    assert.deepEqual(
      geometry.parts(0)!.map(({ y, height, hasHeading, rows }) => ({
        y,
        height,
        hasHeading,
        rows: rows.length,
      })),
      [
        { y: 0, height: 230, hasHeading: true, rows: 2 },
        { y: 230, height: 130, hasHeading: true, rows: 1 },
      ],
    )
    assert.equal(geometry.height(), 360)
    assert.deepEqual(
      [0, 3, 4, 5, 6].map((position) => geometry.yOf(position)),
      [0, 0, 130, 230, 230],
    )
  })

  test('a day that a block goes on with has no second heading, once that is known', () => {
    const list = [blockOf(0, null, 4), blockOf(4, filesOf([4, 4]))]
    const geometry = createGeometry(list, look, true)
    assert.deepEqual(
      geometry.parts(1)!.map(({ hasHeading }) => hasHeading),
      [true, true],
    )
    list[0]!.files = filesOf([4])
    geometry.changed(0)
    assert.deepEqual(
      geometry.parts(1)!.map(({ hasHeading }) => hasHeading),
      [false, true],
    )
  })

  describe('short days', () => {
    const partsOf = (files: Columns, own = look, block: Partial<Block> = {}) =>
      createGeometry([{ ...blockOf(0, files), ...block }], own, true)
        .parts(0)!
        .map(({ day, lastDay, first, end, rows }) => [day, lastDay, end - first, rows.length])

    test('share a row under one heading, as many as about fill it', () => {
      assert.deepEqual(partsOf(filesOf([1, 2, 1, 3, 2, 1])), [
        [1000, 998, 4, 1],
        [997, 996, 5, 1],
        [995, 995, 1, 1],
      ])
      assert.deepEqual(partsOf(filesOf([1, 2, 1, 3, 2, 1]), { ...look, width: 1000 }), [
        [1000, 995, 10, 1],
      ])
    })

    test('of four files share one, and of five none', () => {
      const wide = { ...look, width: 1000 }
      assert.deepEqual(partsOf(filesOf([4, 4]), wide), [[1000, 999, 8, 1]])
      assert.deepEqual(
        partsOf(filesOf([1, 5, 1]), wide).map(([, , count]) => count),
        [1, 5, 1],
      )
    })

    test('share none with days that are a month away', () => {
      const files = filesOf([1, 1])
      const apart = (days: number) => ({ ...files, t: [files.t[0]!, files.t[0]! - days * DAY] })
      assert.equal(partsOf(apart(30)).length, 1)
      assert.equal(partsOf(apart(31)).length, 2)
    })

    test('share one that is at most a third higher or lower than others, or ends where it ends', () => {
      const rowOf = (days: number[]) =>
        createGeometry([blockOf(0, filesOf(days))], { ...look, width: 390 }, true)
      assert.equal(rowOf([1, 2]).rowOf(0)!.row.height, 130)
      assert.equal(rowOf([3, 2]).rowOf(0)!.row.height, 78)
      assert.equal(rowOf([1, 1]).rowOf(0)!.row.height, 100)
    })

    test('share the same when the blocks around them are loaded', () => {
      const list = [
        { ...blockOf(0, null, 2), goesOn: true },
        { ...blockOf(2, filesOf([1, 1, 1, 1, 1]), 5), goesOn: true },
        blockOf(7, null, 3),
      ]
      const geometry = createGeometry(list, look, true)
      const days = () => geometry.parts(1)!.map(({ day, lastDay }) => [day, lastDay])
      const alone = days()
      assert.deepEqual(alone, [
        [1000, 1000],
        [999, 997],
        [996, 996],
      ])
      list[0]!.files = filesOf([2])
      list[2]!.files = filesOf([3], 996)
      geometry.changed(0)
      geometry.changed(2)
      assert.deepEqual(days(), alone)
      assert.deepEqual(
        geometry.parts(1)!.map((part) => geometry.filesOfDay(1, part)),
        [1, 3, 4],
      )
    })

    test('are walked like any row', () => {
      const geometry = createGeometry([blockOf(0, filesOf([1, 2, 1, 6]))], look, true)
      assert.deepEqual([stepFrom(geometry, 1, 'down', 10), stepFrom(geometry, 7, 'up', 10)], [5, 3])
      assert.deepEqual(
        [0, 3, 4].map((position) => geometry.yOf(position)),
        [0, 0, 130],
      )
    })
  })

  test('without days there is one part and no heading', () => {
    const geometry = createGeometry([blockOf(0, filesOf([5, 3]))], look, false)
    assert.equal(geometry.height(), 200)
    assert.equal(geometry.parts(0)!.length, 1)
  })

  test('an anchor keeps its file while heights above it change', () => {
    const list = [blockOf(0, null, 400), blockOf(400, filesOf([40]))]
    const geometry = createGeometry(list, look, true)
    const y = geometry.yOf(420) + 17
    const anchor = geometry.anchorAt(y)
    assert.deepEqual(anchor, { position: 420, below: 17 })
    list[0]!.files = filesOf(Array(400).fill(1), 2000)
    geometry.changed(0)
    assert.equal(geometry.rowOf(420)!.y, geometry.yOfAnchor(anchor) - 17)
    assert.equal(geometry.yOf(400), 100 * 130)
  })

  test('a block that is dropped keeps the height that it had', () => {
    const list = [blockOf(0, filesOf(Array(40).fill(1)))]
    const geometry = createGeometry(list, look, true)
    list[0]!.files = null
    geometry.changed(0)
    assert.equal(geometry.height(), 10 * 130)
  })

  test('a file of a block that is not loaded stands in proportion', () => {
    const list = [blockOf(0, null, 400), blockOf(400, null, 400)]
    const geometry = createGeometry(list, look, true)
    const [half, end] = [geometry.height() / 2, geometry.height()]
    assert.equal(geometry.yOf(400), half)
    assert.equal(geometry.yOf(600), half + half / 2)
    assert.equal(geometry.anchorAt(half + half / 2).position, 600)
    assert.equal(geometry.anchorAt(end + 999).position, 799)
  })

  test('only the rows in the window are visible, and placeholders of blocks', () => {
    const list = [blockOf(0, filesOf([40])), blockOf(40, null, 400)]
    const geometry = createGeometry(list, look, true)
    const [loaded, ...rest] = geometry.visible(230, 430)
    assert.deepEqual(
      loaded!.parts!.map(({ visible }) => visible.map(({ first }) => first)),
      [[8, 12]],
    )
    assert.deepEqual(rest, [])
    assert.deepEqual(
      geometry.visible(1000, 1100).map(({ index, parts }) => [index, parts === null]),
      [
        [0, false],
        [1, true],
      ],
    )
  })

  test('what stands above all files moves them down', () => {
    const list = [blockOf(0, filesOf([5, 3])), blockOf(8, null, 40)]
    const plain = createGeometry(list, look, true)
    const geometry = createGeometry(list, look, true, 150)
    assert.equal(geometry.height(), plain.height() + 150)
    for (const position of [0, 6, 20]) {
      assert.equal(geometry.yOf(position), plain.yOf(position) + 150)
    }
    assert.deepEqual(geometry.anchorAt(0), { position: 0, below: -150 })
    assert.deepEqual(
      geometry.visible(0, 200).map(({ index, y }) => [index, y]),
      [[0, 150]],
    )
  })

  test('an empty listing has no height', () => {
    const geometry = createGeometry([], look, true)
    assert.equal(geometry.height(), 0)
    assert.deepEqual(geometry.visible(0, 1000), [])
    assert.deepEqual(geometry.anchorAt(0), { position: 0, below: 0 })
  })
})

describe('steps of the focus', () => {
  const list = [blockOf(0, filesOf([6, 2])), blockOf(8, filesOf([4], 900)), blockOf(12, null, 9)]
  const geometry = createGeometry(list, look, true)
  const step = (position: number, ...steps: Parameters<typeof stepFrom>[2][]) =>
    steps.map((each) => stepFrom(geometry, position, each, 21))

  test('go sideways through all days, and end at the ends', () => {
    assert.deepEqual(step(0, 'left', 'right'), [0, 1])
    assert.deepEqual(step(7, 'left', 'right'), [6, 8])
    assert.deepEqual(step(20, 'left', 'right'), [19, 20])
  })

  test('go up and down to what stands there, across days and blocks', () => {
    assert.deepEqual(step(1, 'up', 'down'), [1, 5])
    assert.deepEqual(step(3, 'down'), [5])
    assert.deepEqual(step(4, 'up', 'down'), [0, 6])
    assert.deepEqual(step(7, 'up', 'down'), [5, 9])
    assert.deepEqual(step(11, 'up'), [7])
  })

  test('go to the ends of a row', () => {
    assert.deepEqual(step(2, 'row-start', 'row-end'), [0, 3])
    assert.deepEqual(step(5, 'row-start', 'row-end'), [4, 5])
  })

  test('know nothing of rows that are not loaded', () => {
    assert.deepEqual(step(9, 'down'), [null])
    assert.deepEqual(step(15, 'up', 'right'), [null, 16])
  })
})
