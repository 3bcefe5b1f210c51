import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { readExif } from '../../../src/media/child/exif.ts'
import { readVideo } from '../../../src/media/child/film/video.ts'
import { jpegWith } from '../../support/media/embedded.ts'
import { filmBytes } from '../../support/media/film.ts'
import { box, withMore } from '../../support/media/iso-film.ts'
import {
  appleExif,
  googleXmp,
  IDENTIFIER,
  IDENTIFIER_KEY,
  keyBox,
  samsungTrailer,
} from '../../support/media/living.ts'
import { temporaryFolder, without, withoutEncoder } from '../../support/media/media.ts'
import { writePhoneHeic } from '../../support/media/phone-heic.ts'
import { after, before, describe, it } from '../../support/test.ts'

const withoutExiftool = without('exiftool', '-ver')
const withoutFilms = without('ffmpeg', '-version')
const APP1 = 0xe1
const EXIF = 'Exif\0\0'
const XMP = 'http://ns.adobe.com/xap/1.0/\0'
const HEIC = { width: 96, height: 64, tile: 64, bits: 8, thumbnail: 64 } as const

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let plain: Buffer
before(async () => {
  folder = await temporaryFolder()
  const picture = { create: { width: 96, height: 64, channels: 3, background: '#456' } } as const
  plain = await sharp(picture).jpeg().toBuffer()
})
after(() => folder.remove())

const save = async (name: string, bytes: Uint8Array) => {
  const path = join(folder.path, name)
  await writeFile(path, bytes)
  return path
}
const exiftool = (path: string, ...args: string[]) =>
  execFileSync('exiftool', [...args, path], { maxBuffer: 2 ** 26 })

describe('the identifier that a picture and its film have in common', () => {
  const inJpeg = (tiff: Buffer) => save('picture.jpg', jpegWith(plain, [[APP1, EXIF, tiff]]))
  const of = async (tiff: Buffer) => (await readExif(await inJpeg(tiff), 'image/jpeg')).exif

  it('is read of Apple’s note, in either byte order', async () => {
    for (const isLittle of [false, true]) {
      // 0x11 stands between others that aren't read.
      const note = { 1: [14], 17: IDENTIFIER, 23: [5] }
      assert.deepEqual(await of(appleExif(note, isLittle)), {
        Make: 'Apple',
        ContentIdentifier: IDENTIFIER,
      })
    }
  })

  it('is the one that exiftool reads', { skip: withoutExiftool }, async () => {
    const path = await inJpeg(appleExif({ 1: [14], 17: IDENTIFIER }))
    const tags = ['-s3', '-MediaGroupUUID', '-ContentIdentifier']
    assert.equal(
      exiftool(path, ...tags)
        .toString()
        .trim(),
      IDENTIFIER,
    )
  })

  it('is absent where the note is broken or another’s, and the rest is not', async () => {
    const whole = appleExif({ 17: IDENTIFIER })
    const note = whole.indexOf('Apple iOS')
    const far = Buffer.from(whole)
    far.writeUInt32BE(0x7fffffff, note + 14 + 2 + 8)
    const other = Buffer.from(whole)
    other.write('Zebra', note)
    const many = Buffer.from(whole)
    many.writeUInt16BE(0xffff, note + 14)
    const place = Buffer.from(whole)
    const entry = place.indexOf(Buffer.of(0x7c, 0x92))
    place.writeUInt32LE(0x7fffffff, entry + 8)
    for (const [n, tiff] of [far, other, place, appleExif({ 17: [7] })].entries()) {
      assert.deepEqual(await of(tiff), { Make: 'Apple' }, String(n))
    }
    assert.equal((await of(many)).ContentIdentifier, IDENTIFIER)
    for (let end = note; end < whole.length; end += 3) {
      assert.equal((await of(whole.subarray(0, end))).Make, 'Apple', String(end))
    }
  })

  it('is read of a HEIC', { skip: withoutEncoder('libx265') }, async () => {
    const path = join(folder.path, 'picture.heic')
    const exif = Buffer.concat([Buffer.from(EXIF), appleExif({ 17: IDENTIFIER })])
    await writePhoneHeic(path, await save('plain.jpg', plain), { ...HEIC, exif })
    assert.equal((await readExif(path, 'image/heic')).exif.ContentIdentifier, IDENTIFIER)
  })

  it('is read of a film, wherever QuickTime names keys', { skip: withoutFilms }, async () => {
    const mpeg4 = ['-c:v', 'mpeg4']
    const shows = 'testsrc=duration=1:size=96x64:rate=5'
    for (const [name, type] of [
      ['film.mov', 'video/quicktime'],
      ['film.mp4', 'video/mp4'],
    ] as const) {
      const film = await filmBytes(name, mpeg4, shows)
      for (const isFull of [false, true]) {
        const meta = keyBox(IDENTIFIER_KEY, IDENTIFIER, isFull)
        for (const more of [meta, box('udta', meta)]) {
          const path = await save(name, withMore(film, more))
          assert.equal((await readVideo(path, type)).exif.ContentIdentifier, IDENTIFIER, name)
          // exiftool reads each where Apple and where others write it.
          if (withoutExiftool || isFull === (more === meta)) continue
          const told = exiftool(path, '-s3', '-ContentIdentifier').toString().trim()
          assert.equal(told, IDENTIFIER, name)
        }
      }
      assert.ok(!('ContentIdentifier' in (await readVideo(await save(name, film), type)).exif))
    }
  })
})

describe('the film behind a picture', { skip: withoutFilms }, () => {
  const NONE = { film_start: undefined, film_length: undefined }
  const FILM: [number, string] = [0x0a30, 'MotionPhoto_Data']
  const TIME: [number, string, Buffer] = [0x0a01, 'Image_UTC_Data', Buffer.from('1458170015363')]
  let film: Buffer
  before(async () => {
    film = await filmBytes('behind.mp4', ['-c:v', 'mpeg4'], 'testsrc=duration=1:size=96x64:rate=5')
  })

  const told = async (path: string, mime_type = 'image/jpeg') => {
    const { exif } = await readExif(path, mime_type)
    return { film_start: exif.film_start, film_length: exif.film_length }
  }
  /** Returns the film that is found in a picture, byte for byte; null for none. */
  const found = async (path: string, mime_type?: string) => {
    const { film_start, film_length } = await told(path, mime_type)
    if (film_start === undefined) return null
    const start = film_start as number
    return (await readFile(path)).subarray(start, start + (film_length as number))
  }
  const jpeg = (...parts: Buffer[]) => save('picture.jpg', Buffer.concat([plain, ...parts]))
  const withXmp = (xmp: Buffer, ...behind: Buffer[]) =>
    save('picture.jpg', Buffer.concat([jpegWith(plain, [[APP1, XMP, xmp]]), ...behind]))
  const micro = (offset: number | string) =>
    googleXmp({ MicroVideo: 1, MicroVideoVersion: 1, MicroVideoOffset: offset })
  const PRIMARY = { Mime: 'image/jpeg', Semantic: 'Primary', Length: 0 }
  const motion = (length: number) => ({
    Mime: 'video/mp4',
    Semantic: 'MotionPhoto',
    Length: length,
  })

  it('is where Samsung’s trailer says', async () => {
    const trailers = [
      [[...FILM, film]],
      [TIME, [...FILM, film]],
      [[...FILM, film], TIME],
    ] as Parameters<typeof samsungTrailer>[]
    for (const parts of trailers) {
      const path = await jpeg(samsungTrailer(...parts))
      assert.deepEqual(await found(path), film)
      if (withoutExiftool) continue
      assert.deepEqual(exiftool(path, '-b', '-EmbeddedVideoFile'), film)
    }
  })

  it('is where Google’s XMP says', async () => {
    const items = [PRIMARY, motion(film.length)]
    const camera = { MotionPhoto: 1, MotionPhotoVersion: 1 }
    for (const xmp of [
      micro(film.length),
      googleXmp(camera, items),
      googleXmp(camera, items, true),
    ]) {
      const path = await withXmp(xmp, film)
      assert.deepEqual(await found(path), film)
      if (withoutExiftool) continue
      assert.deepEqual(exiftool(path, '-ee', '-b', '-EmbeddedVideo'), film)
    }
  })

  it('is found between other items of a container, and what pads them', async () => {
    const padded = { ...PRIMARY, Padding: 24 }
    const map = { Mime: 'image/jpeg', Semantic: 'GainMap', Length: plain.length }
    const depth = { ...map, Semantic: 'Depth', Padding: 3 }
    const items = [padded, map, motion(film.length), depth]
    const behind = [Buffer.alloc(24), plain, film, plain, Buffer.alloc(3)]
    for (const isInElements of [false, true]) {
      const path = await withXmp(googleXmp({ MotionPhoto: 1 }, items, isInElements), ...behind)
      assert.deepEqual(await found(path), film)
    }
  })

  it('is in a box of a HEIC', {
    skip: withoutEncoder('libx265'),
  }, async () => {
    const path = join(folder.path, 'picture.heic')
    const heic = async (...behind: Buffer[]) => {
      const exif = Buffer.concat([Buffer.from(EXIF), appleExif({ 1: [14] })])
      const xmp = googleXmp({ MotionPhoto: 1 }, [{ ...PRIMARY, Padding: 8 }, motion(film.length)])
      await writePhoneHeic(path, await save('plain.jpg', plain), { ...HEIC, exif, xmp })
      await writeFile(path, Buffer.concat(behind), { flag: 'a' })
      return path
    }
    const samsung = await heic(box('mpvd', film), box('sefd', samsungTrailer(TIME)))
    assert.deepEqual(await found(samsung, 'image/heic'), film)
    if (!withoutExiftool) assert.deepEqual(exiftool(samsung, '-b', '-MotionPhotoVideo'), film)
    assert.deepEqual(await found(await heic(box('mpvd', film)), 'image/heic'), film)
    assert.deepEqual(await told(await heic(box('free', film)), 'image/heic'), NONE)
    assert.deepEqual(await told(await heic(), 'image/heic'), NONE)
    assert.deepEqual(await told(await heic(box('mpvd', film.subarray(4))), 'image/heic'), NONE)
  })

  it('is absent where it is not wholly in the file, not behind the picture, or no film', async () => {
    const whole = samsungTrailer([...FILM, film])
    const end = whole.length - 8
    const changed = (at: number, value: number) => {
      const bytes = Buffer.from(whole)
      bytes.writeUInt32LE(value, at)
      return bytes
    }
    const row = end - 12
    const wrong = [
      changed(row + 4, 0x7fffffff),
      changed(row + 4, whole.length + 7),
      changed(row + 8, 0x7fffffff),
      changed(row + 8, 20),
      changed(end, 0x7fffffff),
      changed(end, 0),
      samsungTrailer([...FILM, Buffer.from('mpv2')]),
      samsungTrailer([...FILM, film.subarray(1)]),
      samsungTrailer([FILM[0], 'MotionPhoto_Else', film]),
      samsungTrailer(TIME),
      whole.subarray(0, -1),
    ]
    for (const [n, trailer] of wrong.entries()) {
      assert.deepEqual(await told(await jpeg(trailer)), NONE, String(n))
    }
    const size = film.length
    const claims = [
      micro(size + 1),
      micro(size - 1),
      micro(0),
      micro(-size),
      micro(1e9),
      micro('all'),
      googleXmp({ MicroVideo: 0, MicroVideoOffset: size }),
      googleXmp({ MicroVideoOffset: size }),
      googleXmp({ MotionPhoto: 0 }, [PRIMARY, motion(size)]),
      googleXmp({ MotionPhoto: 1 }, [PRIMARY]),
      googleXmp({ MotionPhoto: 1 }, [motion(size), motion(size)]),
      googleXmp({ MotionPhoto: 1 }, [PRIMARY, motion(4)]),
      googleXmp({ MotionPhoto: 1 }),
    ]
    for (const [n, xmp] of claims.entries()) {
      assert.deepEqual(await told(await withXmp(xmp, film)), NONE, String(n))
    }
    assert.deepEqual(await told(await withXmp(micro(size), film.subarray(1))), NONE)
    assert.deepEqual(await told(await withXmp(micro(size))), NONE)
    // In a segment of the head.
    const inside = box('ftyp', Buffer.from('mp42\0\0\0\0'))
    const hidden = (offset: number) =>
      jpegWith(plain, [
        [APP1, XMP, micro(String(offset).padStart(6, '0'))],
        [0xe2, inside],
      ])
    const at = hidden(0).length - hidden(0).indexOf(inside)
    assert.deepEqual(await told(await save('picture.jpg', hidden(at))), NONE)
    const { exif } = await readExif(await save('film.mp4', film), 'image/png')
    assert.deepEqual(exif, {})
  })
})
