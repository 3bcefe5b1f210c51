import assert from 'node:assert/strict'
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { isCut } from '../../src/imports/cut.ts'
import { box } from '../support/media/iso-film.ts'
import { temporaryFolder } from '../support/media/media.ts'
import { losslessOf, RAWS } from '../support/media/raws.ts'
import { after, before, describe, it } from '../support/test.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  folder = await temporaryFolder()
})
after(() => folder.remove())

async function cut(bytes: Uint8Array): Promise<boolean> {
  const path = join(folder.path, 'file')
  await writeFile(path, bytes)
  const file = await open(path)
  try {
    return await isCut(file, bytes.length)
  } finally {
    await file.close()
  }
}

it('a film that has its size from the beginning on is cut while a hundred bytes are zeros', async () => {
  const film = Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\0\0isom')),
    box('moov'),
    box('mdat', Buffer.alloc(20_000, 7)),
  ])
  assert.equal(await cut(film), false)
  assert.equal(await cut(Buffer.from(film).fill(0, film.length - 100)), true)
})

describe('a RAW that is still being copied', () => {
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

  it('is not looked for in lists that are named again and again', async () => {
    const [count, tags, directories] = [2 ** 18, [273, 279, 324, 325, 330, 513, 514], 64]
    const length = 2 + tags.length * 12 + 4
    const list = 8 + directories * length
    const tiff = Buffer.alloc(list + count * 4, 1)
    tiff.write('II*\0\x08\0\0\0', 'latin1')
    for (let n = 0; n < directories; n++) {
      const at = 8 + n * length
      tiff.writeUInt16LE(tags.length, at)
      for (const [row, tag] of tags.entries()) {
        const place = at + 2 + row * 12
        tiff.writeUInt16LE(tag, place)
        tiff.writeUInt16LE(4, place + 2)
        tiff.writeUInt32LE(count, place + 4)
        tiff.writeUInt32LE(list, place + 8)
      }
      tiff.writeUInt32LE(at + length, at + length - 4)
    }
    // The places in the list are in the file.
    tiff.fill('\x08\0\0\0', list, undefined, 'latin1')
    let total = 0
    const source = {
      read(buffer: Buffer, to: number, wanted: number, from: number) {
        total += wanted
        const bytesRead = tiff.copy(buffer, to, from, from + wanted)
        return Promise.resolve({ bytesRead, buffer })
      },
    }
    assert.equal(await isCut(source as unknown as FileHandle, tiff.length), false)
    assert.ok(total < 2 ** 22, `${total} bytes were read`)
  })
})
