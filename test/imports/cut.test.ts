import assert from 'node:assert/strict'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { isCut } from '../../src/imports/cut.ts'
import { temporaryFolder } from '../support/media/media.ts'
import { losslessOf, RAWS } from '../support/media/raws.ts'
import { after, before, describe, it } from '../support/test.ts'

describe('a RAW that is still being copied', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  const cut = async (bytes: Uint8Array) => {
    const path = join(folder.path, 'raw')
    await writeFile(path, bytes)
    const file = await open(path)
    try {
      return await isCut(file, bytes.length)
    } finally {
      await file.close()
    }
  }

  it('is known by pixels that would lie behind its end', async () => {
    const jpeg = async (width: number) =>
      sharp({ create: { width, height: width, channels: 3, background: '#693' } })
        .jpeg()
        .toBuffer()
    const [large, small] = [await jpeg(800), await jpeg(160)]
    const pictures = { large, small, raw: losslessOf(large) }
    for (const type of ['adobe-dng', 'canon-cr2', 'nikon-nef', 'sony-arw', 'pentax-pef']) {
      for (const isLittle of [true, false]) {
        const whole = RAWS[`image/x-${type}`]!({ ...pictures, isLittle })
        assert.equal(await cut(whole), false, type)
        assert.equal(await cut(whole.subarray(0, whole.length >> 1)), true, type)
      }
    }
    for (const [type, make] of Object.entries(RAWS)) {
      assert.equal(await cut(make(pictures)), false, type)
    }
  })
})
