import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { isAnimated } from '../../src/media/animation.ts'
import { withBoundedFile } from '../../src/media/bounded-file.ts'
import { madeByMagick } from '../support/media/magick.ts'
import { withoutMagick } from '../support/media/media.ts'
import { after, before, describe, it } from '../support/test.ts'

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tagstead-animation-'))
})
after(() => rmSync(folder, { recursive: true }))

/** Two frames of noise, or one. */
const frames = (count: number) => {
  const [width, height] = [16, 16]
  const data = Buffer.from(
    Array.from({ length: width * height * 3 * count }, (_, n) => (n * n) % 251),
  )
  const raw = { width, height: height * count, channels: 3 as const, pageHeight: height }
  return sharp(data, { raw })
}

async function moves(bytes: Buffer, type: string): Promise<boolean | null> {
  const path = join(folder, 'picture')
  writeFileSync(path, bytes)
  return withBoundedFile(path, (file) => isAnimated(file, type))
}

describe('a picture', () => {
  it('moves when it has several frames', async () => {
    for (const format of ['gif', 'webp'] as const) {
      const animated = await frames(2).toFormat(format).toBuffer()
      assert.equal((await sharp(animated).metadata()).pages, 2)
      assert.equal(await moves(animated, `image/${format}`), true, format)
      const still = await frames(1).toFormat(format).toBuffer()
      assert.equal(await moves(still, `image/${format}`), false, format)
    }
  })

  it('moves as a PNG that has an animation before its first data', async () => {
    const still = await frames(1).png().toBuffer()
    assert.equal(await moves(still, 'image/png'), false)
    const control = Buffer.from([
      0,
      0,
      0,
      8,
      ...Buffer.from('acTL'),
      0,
      0,
      0,
      2,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
    ])
    const header = 8 + 25
    const animated = Buffer.concat([still.subarray(0, header), control, still.subarray(header)])
    assert.equal(await moves(animated, 'image/png'), true)
  })

  it('moves as an AVIF or HEIC whose brands name a sequence', async () => {
    const still = await frames(1).avif().toBuffer()
    assert.equal(await moves(still, 'image/avif'), false)
    const sequence = Buffer.from(still)
    sequence.write('avis', 8, 'latin1')
    assert.equal(await moves(sequence, 'image/avif'), true)
    assert.equal(await moves(Buffer.from('\0\0\0\x14ftypheic\0\0\0\0mif1'), 'image/heic'), false)
    assert.equal(await moves(Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1msf1'), 'image/heic'), true)
  })

  it('moves as a TIFF of several pages, and says nothing of one whose pages are unclear', {
    skip: withoutMagick('TIFF'),
  }, async () => {
    for (const endian of ['LSB', 'MSB']) {
      const tiff = async (...pages: string[]) => {
        const order = ['-define', `tiff:endian=${endian.toLowerCase()}`]
        return readFileSync(await madeByMagick('pages.tif', [...pages, ...order]))
      }
      const [red, blue] = [['-size', '4x4', 'xc:red'], ['xc:blue']] as const
      const one = await tiff(...red)
      assert.equal(one.toString('latin1', 0, 2), endian === 'LSB' ? 'II' : 'MM')
      assert.equal(await moves(one, 'image/tiff'), false, endian)
      assert.equal(await moves(await tiff(...red, ...blue), 'image/tiff'), true, endian)
      assert.equal(await moves(one.subarray(0, 20), 'image/tiff'), null, endian)
    }
    const big = await frames(1).tiff({ bigtiff: true }).toBuffer()
    assert.equal(big.readUInt16LE(2), 43)
    assert.equal(await moves(big, 'image/tiff'), null)
  })

  it('stands still as a type that knows no frames, and says nothing where it is broken', async () => {
    assert.equal(await moves(await frames(1).jpeg().toBuffer(), 'image/jpeg'), false)
    const gif = await frames(1).gif().toBuffer()
    assert.equal(await moves(gif.subarray(0, gif.length - 40), 'image/gif'), null)
    const image = (blocks: number) =>
      Buffer.concat([
        Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2]),
        Buffer.alloc(2 * blocks, 1),
        Buffer.from([0]),
      ])
    const head = Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00', 'latin1')
    for (const [blocks, is] of [
      [100_000, true],
      [100_001, null],
    ] as const) {
      const many = Buffer.concat([head, image(blocks), image(1), Buffer.from([0x3b])])
      assert.equal(await moves(many, 'image/gif'), is, String(blocks))
    }
    const png = await frames(1).png().toBuffer()
    assert.equal(await moves(png.subarray(0, 20), 'image/png'), null)
  })
})
