import assert from 'node:assert/strict'
import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { type Decoder, startDecoder } from '../../src/media/decoder/decoder.ts'
import { findFfmpeg } from '../../src/media/ffmpeg.ts'
import { madeFilm } from '../support/media/film.ts'
import { bitsBetween, corpusFiles, temporaryFolder, without } from '../support/media/media.ts'
import { orientations, photograph } from '../support/media/samples.ts'
import { after, before, describe, it } from '../support/test.ts'

/** Opens, but every read of its beginning fails with EIO. */
const UNREADABLE = '/proc/self/mem'
/** Of camera files, those that are known to look like nothing else of themselves. */
const NAMED = /(Reconyx_HC500_Hyperfire|nikon-e950|canon-ixus|kodak-dc210|sony-d700)\.jpg$/
const silent = { debug() {}, info() {}, warn() {}, error() {} }

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let decoder: Decoder
let names = 0
let photos: string[]
before(async () => {
  const made = await Promise.all([1, 2, 3, 4, 5].map((number) => photograph(number)))
  photos = [...made, ...corpusFiles('photos').filter((name) => NAMED.test(name))]
  folder = await temporaryFolder()
  decoder = startDecoder({ log: silent, ffmpeg: await findFfmpeg('ffmpeg') })
})
after(async () => {
  await decoder.close()
  await folder.remove()
})

const newPath = () => join(folder.path, `${names++}`)

/** Returns what the decoder makes of a file, and where its thumbnail is. */
async function derive(path: string, mime_type = 'image/png') {
  const thumbnail = newPath()
  const { finer, phash } = await decoder.derive({ path, mime_type, thumbnailPath: thumbnail })
  return { finer, phash, thumbnail }
}

async function hashOf(picture: Buffer): Promise<string> {
  const path = newPath()
  writeFileSync(path, picture)
  return (await derive(path)).finer!.hash
}

/** Returns the photograph, large enough for what is made of it to be smaller. */
const photoOf = (path: string) => sharp(path).resize(800).png().toBuffer()

describe('the finer hash of a picture', () => {
  it('stays near for copies, and is far for what is turned or mirrored', async () => {
    for (const name of photos) {
      const photo = await photoOf(name)
      const original = await hashOf(photo)
      const half = await hashOf(await sharp(photo).resize(400).png().toBuffer())
      assert.ok(bitsBetween(original, half) <= 16, `${name}, half`)
      const jpeg = await hashOf(await sharp(photo).jpeg({ quality: 50 }).toBuffer())
      assert.ok(bitsBetween(original, jpeg) <= 16, `${name}, JPEG`)
      const moved = {
        quarter: sharp(photo).rotate(90),
        half: sharp(photo).rotate(180),
        mirrored: sharp(photo).flop(),
        'upside down': sharp(photo).flip(),
      }
      for (const [how, other] of Object.entries(moved)) {
        const distance = bitsBetween(original, await hashOf(await other.png().toBuffer()))
        assert.ok(distance > 90, `${name}, ${how}: ${distance}`)
      }
    }
  })

  it('is far for other photographs, and none of them is plain', async () => {
    const hashes: string[] = []
    for (const name of photos) {
      const { finer } = await derive(name, 'image/jpeg')
      assert.equal(finer!.isPlain, false, name)
      for (const other of hashes) assert.ok(bitsBetween(finer!.hash, other) > 90, name)
      hashes.push(finer!.hash)
    }
  })

  it('is that of a picture as it is displayed', async () => {
    const [upright, ...turned] = await Promise.all(
      (await orientations()).map(async (path) => (await derive(path, 'image/jpeg')).finer!.hash),
    )
    for (const hash of turned) assert.ok(bitsBetween(upright!, hash) <= 16)
  })

  it('is made of a film, too', { skip: without('ffmpeg', '-version') }, async () => {
    const { finer, thumbnail } = await derive(
      await madeFilm('film.mp4', ['-c:v', 'mpeg4']),
      'video/mp4',
    )
    const { shown } = (await decoder.lookAtThumbnail({ path: thumbnail }))!
    assert.ok(bitsBetween(finer!.hash, shown!.finer.hash) <= 16)
  })
})

describe('a thumbnail that is looked at', () => {
  it('shows what its picture shows, in 64x64 luminances', async () => {
    for (const name of photos) {
      const { finer, thumbnail } = await derive(name, 'image/jpeg')
      const { shown } = (await decoder.lookAtThumbnail({ path: thumbnail }))!
      assert.ok(bitsBetween(finer!.hash, shown!.finer.hash) <= 16, name)
      assert.equal(shown!.finer.isPlain, false)
      const picture = sharp(thumbnail).resize(64, 64, { fit: 'fill', fastShrinkOnLoad: false })
      const expected = await picture.toColourspace('b-w').raw().toBuffer()
      // The picture decoder takes more than the pixels that one covers, so that edges are sharper.
      assert.equal(shown!.grey.length, expected.length)
      const differences = shown!.grey.map((value, place) => Math.abs(value - expected[place]!))
      const mean = differences.reduce((sum, one) => sum + one, 0) / expected.length
      assert.ok(mean < 4, `${name}: ${mean}`)
    }
  })

  it('shows its rows from the top, and of one colour is plain', async () => {
    const path = newPath()
    const halves = Buffer.from([255, 0])
    const raw = { width: 1, height: 2, channels: 1 } as const
    const picture = sharp(halves, { raw }).resize(320, 200, { fit: 'fill', kernel: 'nearest' })
    writeFileSync(path, await picture.jpeg().toBuffer())
    const { grey } = (await decoder.lookAtThumbnail({ path }))!.shown!
    assert.equal(grey.length, 4096)
    assert.ok(grey.subarray(0, 64).every((value) => value > 250))
    assert.ok(grey.subarray(-64).every((value) => value < 5))

    const create = { width: 320, height: 200, channels: 3, background: '#c04020' } as const
    writeFileSync(path, await sharp({ create }).jpeg().toBuffer())
    const { shown } = (await decoder.lookAtThumbnail({ path }))!
    assert.equal(shown!.finer.isPlain, true)
    assert.equal(new Set(shown!.grey).size, 1)
  })

  it('shows nothing when it is broken', async () => {
    const path = newPath()
    writeFileSync(path, 'no picture')
    assert.deepEqual(await decoder.lookAtThumbnail({ path }), { shown: null })
    const create = { width: 320, height: 200, channels: 3, background: '#c04020' } as const
    const jpeg = await sharp({ create }).jpeg().toBuffer()
    writeFileSync(path, jpeg.subarray(0, jpeg.length / 2))
    assert.deepEqual(await decoder.lookAtThumbnail({ path }), { shown: null })
  })

  it('tells that it is not there, or that the disk can not read it', async () => {
    await assert.rejects(decoder.lookAtThumbnail({ path: newPath() }), { code: 'ENOENT' })
    if (!existsSync(UNREADABLE)) return
    const path = newPath()
    symlinkSync(UNREADABLE, path)
    await assert.rejects(decoder.lookAtThumbnail({ path }), { code: 'EIO' })
  })
})
