import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { readExif } from '../../../src/media/child/exif.ts'
import { readVideo } from '../../../src/media/child/film/video.ts'
import { jpegWith } from '../../support/media/embedded.ts'
import { filmBytes } from '../../support/media/film.ts'
import { box, withMore } from '../../support/media/iso-film.ts'
import { appleExif, IDENTIFIER, IDENTIFIER_KEY, keyBox } from '../../support/media/living.ts'
import { temporaryFolder, without, withoutEncoder } from '../../support/media/media.ts'
import { writePhoneHeic } from '../../support/media/phone-heic.ts'
import { after, before, describe, it } from '../../support/test.ts'

const withoutExiftool = without('exiftool', '-ver')
const withoutFilms = without('ffmpeg', '-version')
const APP1 = 0xe1
const EXIF = 'Exif\0\0'
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
