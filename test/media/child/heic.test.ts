import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { readExif } from '../../../src/media/child/exif.ts'
import { decodeHeic } from '../../../src/media/child/heic.ts'
import { makePicture, makeThumbnail } from '../../../src/media/child/picture.ts'
import { tiffHead } from '../../../src/media/child/tiff.ts'
import { sniff } from '../../../src/media/sniff.ts'
import { filmBytes } from '../../support/media/film.ts'
import { madeByMagick } from '../../support/media/magick.ts'
import {
  corpus,
  distance,
  hashOf,
  temporaryFolder,
  withoutCorpus,
  withoutEncoder,
  withoutMagick,
} from '../../support/media/media.ts'
import { phoneHeic, smallHeic } from '../../support/media/samples.ts'
import { after, before, describe, it } from '../../support/test.ts'

const IPHONE = corpus('heic', 'iphone_13_pro_max.HEIC')
const withoutHevc = withoutEncoder('libx265')
const withoutBoth = withoutCorpus || withoutMagick('HEIC')

/** Returns by how much the values of two pictures differ, on average. */
async function difference(a: Buffer, b: Buffer): Promise<number> {
  const [one, other] = await Promise.all(
    [a, b].map((picture) =>
      sharp(picture).resize(240, 320, { fit: 'fill' }).removeAlpha().raw().toBuffer(),
    ),
  )
  return one!.reduce((sum, value, n) => sum + Math.abs(value - other![n]!), 0) / one!.length
}

describe('HEIC', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  const thumbnailOf = async (path: string, mime_type = 'image/heic') => {
    const output = join(folder.path, 'thumbnail.jpg')
    const job = { path, mime_type, ffmpeg: null, output }
    const attempt = await makeThumbnail(job, () => {})
    assert.ok('result' in attempt, 'failed' in attempt ? attempt.failed : '')
    return { jpeg: await readFile(output), phash: attempt.result.phash }
  }
  /** What another libheif makes of it. */
  const reference = async (path: string) => {
    return readFile(await madeByMagick('reference.png', ['-resize', '320x320'], path))
  }

  it('shows the picture of a phone, upright and in its colours', {
    skip: withoutBoth,
  }, async () => {
    const { jpeg, phash } = await thumbnailOf(IPHONE)
    const { width, height, icc } = await sharp(jpeg).metadata()
    assert.deepEqual([width, height], [240, 320])
    const expected = await reference(IPHONE)
    assert.ok(distance(phash, await hashOf(expected)) <= 2)
    assert.ok((await difference(jpeg, expected)) < 10, `${await difference(jpeg, expected)}`)
    assert.deepEqual(icc, (await sharp(IPHONE).metadata()).icc)
  })

  it('shows what a phone cuts into tiles, of 8 bits and of 10, and tells its EXIF', {
    skip: withoutHevc,
  }, async () => {
    for (const bits of [8, 10] as const) {
      const { path, drawing } = await smallHeic(bits)
      const upright = await sharp(drawing).rotate(-90).png().toBuffer()
      assert.equal((await sniff(path))?.mime_type, 'image/heic')
      const { jpeg, phash } = await thumbnailOf(path)
      const { width, height } = await sharp(jpeg).metadata()
      assert.deepEqual([width, height], [200, 280])
      const apart = distance(phash, await hashOf(upright))
      assert.ok(apart <= 4, `${bits}: ${apart}`)
      assert.ok(
        (await difference(jpeg, upright)) < 10,
        `${bits}: ${await difference(jpeg, upright)}`,
      )
      assert.equal((await readExif(path, 'image/heic')).exif.Model, 'A phone')
      const output = join(folder.path, 'full.jpg')
      const job = { path, mime_type: 'image/heic', ffmpeg: null, output }
      assert.deepEqual(await makePicture('full', job, () => {}), { result: null })
      const full = await sharp(output).metadata()
      assert.deepEqual([full.width, full.height], [200, 280])
    }
  })

  it('has a preview', { skip: withoutHevc }, async () => {
    const output = join(folder.path, 'preview.jpg')
    const job = { path: await phoneHeic(), mime_type: 'image/heic', ffmpeg: null, output }
    assert.deepEqual(await makePicture('preview', job, () => {}), { result: null })
    const { width, height } = await sharp(output).metadata()
    assert.deepEqual([width, height], [1440, 1920])
  })

  it('shows what ImageMagick writes, deep colours too', {
    skip: withoutMagick('HEIC'),
  }, async () => {
    const plasma = ['-size', '240x160', 'plasma:tomato-steelblue', '-depth', '16']
    const drawing = await madeByMagick('drawing.png', ['-seed', '7', ...plasma])
    for (const depth of ['8', '10']) {
      const path = await madeByMagick('deep.heic', ['-depth', depth], drawing)
      const { jpeg, phash } = await thumbnailOf(path)
      assert.equal((await sharp(jpeg).metadata()).width, 240)
      assert.ok(distance(phash, await hashOf(await readFile(drawing))) <= 4, depth)
    }
  })

  it('is read by sharp when it holds AV1', async () => {
    const path = join(folder.path, 'av1.heif')
    const picture = sharp({ create: { width: 90, height: 60, channels: 3, background: '#c04020' } })
    await picture.avif().toFile(path)
    const { jpeg } = await thumbnailOf(path, 'image/heif')
    assert.equal((await sharp(jpeg).metadata()).width, 90)
  })

  it('shows the first picture of a sequence that has no other', {
    skip: withoutHevc,
  }, async () => {
    const scenes = 'color=#c04020:s=90x60:r=4:d=0.25[a];color=blue:s=90x60:r=4:d=1[b];[a][b]concat'
    const codec = ['-c:v', 'libx265', '-x265-params', 'log-level=none', '-pix_fmt', 'yuv420p']
    const brands = ['-brand', 'hevc', '-tag:v', 'hvc1']
    // A sequence is a film whose track has pictures.
    const bytes = await filmBytes('film.mp4', [...codec, ...brands], scenes)
    bytes.write('pict', bytes.indexOf('vide'), 'latin1')
    const path = join(folder.path, 'sequence.heics')
    await writeFile(path, bytes)
    assert.equal((await sniff(path))?.mime_type, 'image/heic')
    const { jpeg } = await thumbnailOf(path)
    const { width, height } = await sharp(jpeg).metadata()
    assert.deepEqual([width, height], [90, 60])
    const { channels } = await sharp(jpeg).stats()
    for (const [i, value] of [0xc0, 0x40, 0x20].entries()) {
      assert.ok(Math.abs(channels[i]!.mean - value) < 8, `${channels[i]!.mean} is not ${value}`)
    }
    await writeFile(path, bytes.subarray(0, 28))
    await assert.rejects(decodeHeic(path), /neither a primary picture nor a sequence|Invalid/)
  })

  it('fails on a broken one', { skip: withoutHevc }, async () => {
    const whole = await readFile(await phoneHeic())
    const broken: Record<string, Buffer> = {
      garbage: Buffer.concat([whole.subarray(0, 24), Buffer.alloc(5000, 7)]),
      large: withSize(whole, 40_000, 30_000),
    }
    for (const [name, bytes] of Object.entries(broken)) {
      const path = join(folder.path, name)
      await writeFile(path, bytes)
      await assert.rejects(decodeHeic(path), Error, name)
    }
  })
})

/** The same file, that says of each of its pictures to be of another size. */
function withSize(heif: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(heif)
  for (let at = changed.indexOf('ispe'); at >= 0; at = changed.indexOf('ispe', at + 1)) {
    changed.writeUInt32BE(width, at + 8)
    changed.writeUInt32BE(height, at + 12)
  }
  return changed
}

describe('TIFF of raw pixels', () => {
  it('reads as the same pixels with the same profile', async () => {
    const { icc } = await sharp({
      create: { width: 1, height: 1, channels: 3, background: '#fff' },
    })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
      .then((jpeg) => sharp(jpeg).metadata())
    for (const samples of [3, 4]) {
      for (const [width, height] of [
        [1, 1],
        [5, 16],
        [7, 33],
      ] as const) {
        const pixels = Buffer.from(Array.from({ length: width * height * samples }, (_, i) => i))
        const head = tiffHead({ width, height, samples, icc: samples === 3 ? icc : undefined })
        const tiff = sharp(Buffer.concat([head, pixels])).keepIccProfile()
        assert.deepEqual((await tiff.metadata()).icc, samples === 3 ? icc : undefined)
        assert.deepEqual(await tiff.raw().toBuffer(), pixels)
      }
    }
  })
})
