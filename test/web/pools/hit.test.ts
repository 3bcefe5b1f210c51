import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Box,
  gapBefore,
  gapUnder,
  placeInRow,
} from '../../../src/gallery/pools/arrange/hit.ts'

/** Two full rows with gaps of 4 pixels, and one that ends early. */
const cells: Box[] = [
  ...row(10, 0, [100, 50, 146]),
  ...row(13, 104, [146, 154]),
  ...row(15, 208, [60]),
]

function row(first: number, top: number, widths: number[]): Box[] {
  let left = 20
  return widths.map((width, at) => {
    const cell = { position: first + at, left, right: left + width, top, bottom: top + 100 }
    left += width + 4
    return cell
  })
}

const place = (x: number, y: number) => gapUnder(cells, x, y)?.place

describe('the gap under the pointer', () => {
  it('is before or behind the file, by the half of it', () => {
    assert.equal(place(60, 50), 10)
    assert.equal(place(80, 50), 11)
    assert.equal(place(160, 50), 12)
    assert.equal(place(0, 50), 10)
    assert.equal(place(999, 50), 13)
  })

  it('is in the row of the pointer, or in the nearest one', () => {
    assert.equal(place(25, 103), 13)
    assert.equal(place(25, -40), 10)
    assert.equal(place(300, 150), 15)
    assert.equal(place(300, 230), 16)
    assert.equal(place(300, 900), 16)
    assert.equal(gapUnder([], 1, 1), null)
  })

  it('is seen in the middle between two files, and at the edge of the first and last', () => {
    assert.deepEqual(gapUnder(cells, 130, 50), { place: 11, x: 122, top: 0, bottom: 100 })
    assert.deepEqual(gapUnder(cells, 0, 50), { place: 10, x: 20, top: 0, bottom: 100 })
    assert.deepEqual(gapUnder(cells, 999, 50), { place: 13, x: 324, top: 0, bottom: 100 })
  })

  it('is found by its place, too', () => {
    assert.deepEqual(gapBefore(cells, 14), { place: 14, x: 168, top: 104, bottom: 204 })
    assert.deepEqual(gapBefore(cells, 16), { place: 16, x: 80, top: 208, bottom: 308 })
    assert.equal(gapBefore(cells, 40), null)
  })
})

describe('the place a row on', () => {
  it('is before the nearest file upwards, and behind it downwards', () => {
    assert.equal(placeInRow(cells, 14, -1), 12)
    assert.equal(placeInRow(cells, 13, -1), 10)
    assert.equal(placeInRow(cells, 10, 1), 14)
    assert.equal(placeInRow(cells, 12, 1), 15)
    assert.equal(placeInRow(cells, 14, 1), 16)
  })

  it('is unknown where that row is not drawn', () => {
    assert.equal(placeInRow(cells, 10, -1), null)
    assert.equal(placeInRow(cells, 15, 1), null)
    assert.equal(placeInRow(cells, 99, 1), null)
  })
})
