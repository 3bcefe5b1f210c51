import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { boundedPicture } from '../../../src/media/child/bounded-picture.ts'
import { readExif } from '../../../src/media/child/exif.ts'
import { sniff } from '../../../src/media/sniff.ts'
import { withOrientation } from '../../../src/media/turned-picture.ts'
import { temporaryFolder, without } from '../../support/media/media.ts'
import { losslessOf, RAWS, type RawPictures } from '../../support/media/raws.ts'
import { writeTiff } from '../../support/media/tiff.ts'
import { after, before, describe, it } from '../../support/test.ts'

const withoutExiftool = without('exiftool', '-ver')
/** Its picture is a JPEG of its own right, and has all that the file says. */
const RAF = 'image/x-fuji-raf'
const RESOLUTION_UNIT = 0x0128
/** These have one picture. */
const ONE = [RAF, 'image/x-olympus-orf', 'image/x-panasonic-rw2']

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: width % 256, g: 90, b: 40 } } })
const jpeg = (width: number, height: number) => picture(width, height).jpeg().toBuffer()

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let pictures: RawPictures
before(async () => {
  folder = await temporaryFolder()
  const raw = losslessOf(await jpeg(3000, 2000))
  pictures = { large: await jpeg(1600, 1000), small: await jpeg(160, 120), raw }
})
after(() => folder.remove())

const save = async (bytes: Uint8Array) => {
  const path = join(folder.path, 'file')
  await writeFile(path, bytes)
  return path
}
/** Returns what is decoded of a RAW. */
const shown = async (bytes: Uint8Array) => {
  const path = await save(bytes)
  const picture = await boundedPicture(path, (await sniff(path))!.mime_type)
  assert.ok(Buffer.isBuffer(picture))
  return picture
}
const isNone = (bytes: Uint8Array) => assert.rejects(shown(bytes), /no embedded picture/)

describe('a RAW', () => {
  it('is told by its content', async () => {
    for (const [mime_type, make] of Object.entries(RAWS)) {
      assert.equal((await sniff(await save(make(pictures))))?.mime_type, mime_type)
    }
    for (const isLittle of [true, false]) {
      for (const mime_type of ['image/x-adobe-dng', 'image/x-nikon-nef']) {
        const bytes = RAWS[mime_type]!({ ...pictures, isLittle })
        assert.equal((await sniff(await save(bytes)))?.mime_type, mime_type)
      }
    }
  })

  it('is no TIFF of a camera maker’s scanner or editor, nor one with a tag for printers', async () => {
    const path = join(folder.path, 'scan.tif')
    for (const make of ['NIKON CORPORATION', 'SONY', 'PENTAX', 'Canon', 'Panasonic', 'OLYMPUS']) {
      await writeTiff(path, {
        ifd0: [
          [259, 3, [1]],
          [262, 3, [2]],
          [271, 2, make],
          [50_341, 7, [1, 2, 3, 4, 5, 6, 7, 8]],
        ],
      })
      assert.equal((await sniff(path))?.mime_type, 'image/tiff', make)
    }
  })

  it('of Canon is told soon, whatever it holds', async () => {
    const box = (name: string, body: Buffer) => {
      const head = Buffer.alloc(8)
      head.writeUInt32BE(8 + body.length)
      head.write(name, 4)
      return Buffer.concat([head, body])
    }
    const inner = box('moov', Buffer.alloc(8000, box('free', Buffer.alloc(0))))
    const boxes = box('moov', Buffer.alloc(inner.length * 600, inner))
    const path = await save(Buffer.concat([box('ftyp', Buffer.from('crx \0\0\0\x01')), boxes]))
    assert.equal((await sniff(path))?.mime_type, 'image/x-canon-cr3')
  })

  it('is shown by its largest JPEG that can be decoded, byte for byte', async () => {
    for (const [mime_type, make] of Object.entries(RAWS)) {
      assert.deepEqual(await shown(make(pictures)), pictures.large, mime_type)
      const progressive = await sharp(pictures.large).jpeg({ progressive: true }).toBuffer()
      assert.deepEqual(await shown(make({ ...pictures, large: progressive })), progressive)
      // A larger picture that is lossless, or is cut off, is none.
      if (ONE.includes(mime_type)) continue
      const { large, small } = pictures
      const swapped = { ...pictures, large: small, small: large }
      assert.deepEqual(await shown(make(swapped)), large, mime_type)
      assert.deepEqual(await shown(make({ ...pictures, large: pictures.raw })), small, mime_type)
    }
  })

  it('of Canon may have short places', async () => {
    const bytes = RAWS['image/x-canon-cr3']!(pictures)
    const at = bytes.indexOf('co64')
    bytes.write('stco', at)
    bytes.copyWithin(at + 12, at + 16, at + 20)
    assert.deepEqual(await shown(bytes), pictures.large)
  })

  it('is shown by a picture of many megabytes', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const create = { width: 3600, height: 2400, channels: 3, background: '#888', noise } as const
    const large = await sharp({ create }).jpeg({ quality: 98 }).toBuffer()
    assert.ok(large.length > 5 * 2 ** 20)
    for (const [mime_type, make] of Object.entries(RAWS)) {
      assert.ok((await shown(make({ ...pictures, large }))).equals(large), mime_type)
    }
  })

  it('has the pictures that exiftool finds', { skip: withoutExiftool }, async () => {
    for (const [mime_type, make] of Object.entries(RAWS)) {
      const path = await save(make(pictures))
      const tags = ['JpgFromRaw', 'PreviewImage', 'OtherImage']
      const found = tags.map((tag) => execFileSync('exiftool', ['-b', `-${tag}`, path]))
      const largest = found.toSorted((a, b) => b.length - a.length)[0]!
      assert.deepEqual(await boundedPicture(path), largest, mime_type)
      const told = execFileSync('exiftool', ['-j', '-n', '-Make', '-DateTimeOriginal', path])
      if (mime_type === RAF) continue
      const { Make, DateTimeOriginal } = JSON.parse(told.toString())[0]
      const { exif } = await readExif(path, mime_type)
      assert.deepEqual([exif.Make, exif.DateTimeOriginal], [Make, DateTimeOriginal], mime_type)
    }
  })

  it('is turned as it says where its picture doesn’t', async () => {
    for (const [mime_type, make] of Object.entries(RAWS)) {
      if (mime_type === RAF) continue
      const turned = await sharp(await shown(make({ ...pictures, orientation: 6 }))).metadata()
      assert.deepEqual([turned.width, turned.orientation], [1600, 6], mime_type)
      for (const own of [1, 8]) {
        const large = await picture(1600, 1000).withMetadata({ orientation: own }).jpeg().toBuffer()
        assert.deepEqual(await shown(make({ ...pictures, large, orientation: 6 })), large)
      }
      // What a picture says beside is no orientation.
      const large = Buffer.from(withOrientation(pictures.large, 2))
      large.writeUInt16BE(RESOLUTION_UNIT, 22)
      const other = await shown(make({ ...pictures, large, orientation: 6 }))
      assert.equal((await sharp(other).metadata()).orientation, 6, mime_type)
      const broken = await shown(make({ ...pictures, orientation: 9 }))
      assert.deepEqual(broken, pictures.large)
    }
  })

  it('says when and where it was taken, and what is in it', async () => {
    for (const [mime_type, make] of Object.entries(RAWS)) {
      if (mime_type === RAF) continue
      const { exif, dropped } = await readExif(await save(make(pictures)), mime_type)
      const { DateTimeOriginal, Model, latitude, longitude } = exif
      assert.deepEqual(
        [DateTimeOriginal, Model, latitude, longitude, dropped],
        ['2021:03:04 05:06:07', 'Model', 48.5, 16.25, []],
        mime_type,
      )
    }
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
      xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag><rdf:li>sea</rdf:li>
      </rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`
    for (const [mime_type, make] of Object.entries(RAWS)) {
      if (mime_type === RAF) continue
      const { exif } = await readExif(await save(make({ ...pictures, xmp })), mime_type)
      assert.deepEqual(exif.Keywords, ['sea'], mime_type)
    }
    const large = await sharp(pictures.large)
      .withExif({ IFD0: { Make: 'FUJIFILM' }, IFD2: { DateTimeOriginal: '2021:03:04 05:06:07' } })
      .jpeg()
      .toBuffer()
    const { exif } = await readExif(await save(RAWS[RAF]!({ ...pictures, large })), RAF)
    assert.deepEqual([exif.Make, exif.DateTimeOriginal], ['FUJIFILM', '2021:03:04 05:06:07'])
  })

  it('without a picture has none', async () => {
    const none = Buffer.from('no JPEG')
    for (const make of Object.values(RAWS)) {
      await isNone(make({ ...pictures, large: none, small: none }))
      await isNone(make({ ...pictures, large: pictures.raw, small: none }))
    }
  })

  it('of any length comes to an end', async () => {
    for (const make of Object.values(RAWS)) {
      const whole = make(pictures)
      for (let length = 8; length < whole.length; length += Math.ceil(whole.length / 40)) {
        const path = await save(whole.subarray(0, length))
        const type = await sniff(path)
        if (type === null) continue
        await boundedPicture(path, type.mime_type).catch(() => {})
        await readExif(path, type.mime_type)
      }
    }
  })
})
