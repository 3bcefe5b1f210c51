import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { luminances } from '../../../src/media/child/luminances.ts'
import { randomNumbers } from '../../support/file-rows.ts'

const SIZE = 64
const greys = (width: number, height: number, at: (x: number, y: number) => number) => ({
  data: Uint8Array.from({ length: width * height }, (_, place) =>
    at(place % width, Math.floor(place / width)),
  ),
  info: { width, height, channels: 1 },
})

describe('luminances', () => {
  it('are those of a square of their size', () => {
    const random = randomNumbers(1)
    const picture = greys(SIZE, SIZE, () => random(256))
    assert.deepEqual(luminances(picture), picture.data)
  })

  it('are means of the pixels that they cover, whole or in part', () => {
    // Each covers two columns of the same row; then one and a half, from a column or from its middle.
    const pairs = luminances(greys(2 * SIZE, SIZE, (x, y) => 2 * (x % 2) + y))
    assert.deepEqual(
      Array.from(pairs),
      Array.from({ length: SIZE ** 2 }, (_, place) => Math.floor(place / SIZE) + 1),
    )
    const thirds = luminances(greys(SIZE, 1.5 * SIZE, (_, y) => [0, 90, 180][y % 3]!))
    for (const [place, value] of thirds.entries()) {
      assert.equal(value, Math.floor(place / SIZE) % 2 === 0 ? 30 : 150)
    }
  })

  it('stretch what is smaller', () => {
    const halves = luminances(greys(2, 1, (x) => 200 * x))
    for (const [place, value] of halves.entries()) assert.equal(value, place % SIZE < 32 ? 0 : 200)
    const three = luminances(greys(1, 3, (_, y) => 60 * y))
    assert.deepEqual([three[0], three[SIZE * 21], three[SIZE * 32], three.at(-1)], [0, 40, 60, 120])
  })

  it('of colours are those of the picture decoder, with opacity or without', async () => {
    const random = randomNumbers(2)
    for (const channels of [3, 4] as const) {
      const info = { width: SIZE, height: SIZE, channels }
      const data = Uint8Array.from({ length: SIZE ** 2 * channels }, () => random(256))
      const picture = sharp(data, { raw: info }).removeAlpha().greyscale()
      const expected = await picture.raw({ depth: 'uchar' }).toBuffer()
      const differences = luminances({ data, info }).map((value, place) =>
        Math.abs(value - expected[place]!),
      )
      // It takes other, rounder shares of the colours.
      assert.ok(Math.max(...differences) <= 8, `${Math.max(...differences)}`)
    }
  })

  it('of grey with opacity are its greys', () => {
    const info = { width: SIZE, height: SIZE, channels: 2 }
    const data = Uint8Array.from({ length: SIZE ** 2 * 2 }, (_, n) => (n % 2 === 0 ? n % 251 : 255))
    assert.deepEqual(
      luminances({ data, info }),
      data.filter((_, n) => n % 2 === 0),
    )
  })
})
