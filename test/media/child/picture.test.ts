import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { type Hashed, makePicture, makeThumbnail } from '../../../src/media/child/picture.ts'
import { madeFilm } from '../../support/media/film.ts'
import { temporaryFolder, without } from '../../support/media/media.ts'
import { orientations } from '../../support/media/samples.ts'
import { after, before, describe, it } from '../../support/test.ts'

const never = () => assert.fail('a small picture need not wait')

/** Where Linux tells how many bytes this process has read. */
const IO = '/proc/self/io'
const bytesRead = async () => Number(/rchar: (\d+)/.exec(await readFile(IO, 'latin1'))![1])

describe('picture', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let names = 0
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  const thumbnailOf = async (path: string, mime_type = 'image/jpeg') => {
    const output = join(folder.path, `thumbnail-${names++}.jpg`)
    const attempt = await makeThumbnail({ path, mime_type, ffmpeg: null, output }, never)
    assert.ok('result' in attempt, 'failed' in attempt ? attempt.failed : '')
    const jpeg = await readFile(output)
    return { jpeg, phash: attempt.result.phash, ...(await sharp(jpeg).metadata()) }
  }
  const save = async (picture: Sharp | string) => {
    const path = join(folder.path, `picture-${names++}`)
    await writeFile(path, typeof picture === 'string' ? picture : await picture.toBuffer())
    return path
  }
  const plain = (width: number, height: number, background: string | object = '#c04020') =>
    sharp({ create: { width, height, channels: 4, background } })
  const pixel = async (jpeg: Buffer, left = 0, top = 0) => [
    ...(await sharp(jpeg)
      .extract({ left, top, width: 1, height: 1 })
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer()),
  ]
  const near = (actual: number[], expected: number[], tolerance = 6) =>
    assert.ok(
      expected.every((value, i) => Math.abs(value - actual[i]!) <= tolerance),
      `${actual} is not ${expected}`,
    )

  it('makes the same of a TIFF that is unpacked once for both thumbnails', async () => {
    const [width, height] = [900, 700]
    const noise = { type: 'gaussian', mean: 128, sigma: 4 } as const
    const grain = await sharp({ create: { width, height, channels: 3, background: '#000', noise } })
      .png()
      .toBuffer()
    const pictures = [
      sharp(grain),
      sharp(grain).ensureAlpha(0.5),
      sharp(grain).withIccProfile('p3'),
    ]
    for (const picture of pictures) {
      const made = []
      for (const compression of ['none', 'lzw'] as const) {
        const path = await save(
          picture.clone().withMetadata({ orientation: 6 }).tiff({ compression }),
        )
        const job = { path, mime_type: 'image/tiff', ffmpeg: null, output: `${path}.jpg` }
        const output640 = `${path}-640.jpg`
        const { result } = (await makeThumbnail({ ...job, output640 }, never)) as { result: Hashed }
        made.push([result, await readFile(job.output), await readFile(output640)])
      }
      assert.deepEqual(made[1], made[0])
    }
  })

  it('reads a compressed TIFF once for both thumbnails', {
    skip: !existsSync(IO) && 'needs Linux',
  }, async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 4 } as const
    const create = { width: 2000, height: 1000, channels: 3, background: '#000', noise } as const
    // A picture of one colour, as noise alone may be when it is small, is decoded once more.
    const white = {
      create: { width: 1000, height: 1000, channels: 3, background: '#fff' },
    } as const
    const picture = sharp({ create }).composite([{ input: white, left: 0, top: 0 }])
    const path = await save(picture.tiff({ compression: 'lzw' }))
    const [output, output640] = [`${path}.jpg`, `${path}-640.jpg`]
    const job = { path, mime_type: 'image/tiff', ffmpeg: null, output, output640 }
    const { size } = await stat(path)
    const times: number[] = []
    // What else the process reads meanwhile counts, too.
    for (let round = 0; round < 3; round++) {
      const before = await bytesRead()
      assert.ok('result' in (await makeThumbnail(job, never)))
      times.push(((await bytesRead()) - before) / size)
    }
    const least = Math.min(...times)
    assert.ok(least >= 1 && least < 1.5, `it was read ${times} times`)
    assert.equal((await sharp(output640).metadata()).width, 640)
  })

  it('looks the same in all eight orientations', async () => {
    const thumbnails = []
    for (const path of await orientations()) thumbnails.push(await thumbnailOf(path))
    const raw = await Promise.all(thumbnails.map(({ jpeg }) => sharp(jpeg).raw().toBuffer()))
    for (const [n, { width, height, orientation }] of thumbnails.entries()) {
      assert.deepEqual(
        { width, height, orientation },
        { width: 320, height: 240, orientation: undefined },
      )
      const differences = raw[n]!.reduce((sum, value, i) => sum + Math.abs(value - raw[0]![i]!), 0)
      assert.ok(differences / raw[n]!.length < 8, `${n + 1}: ${differences / raw[n]!.length}`)
    }
  })

  it('fits into its box and is never enlarged', async () => {
    const sizes = [
      [1, 1, 1, 1],
      [320, 320, 320, 320],
      [640, 480, 320, 240],
      [300, 1200, 80, 320],
      [2000, 1, 320, 1],
      [1, 2000, 1, 320],
    ]
    for (const [width, height, ...expected] of sizes) {
      const made = await thumbnailOf(await save(plain(width!, height!).png()), 'image/png')
      assert.deepEqual([made.width, made.height, made.format], [...expected, 'jpeg'])
      near(await pixel(made.jpeg), [0xc0, 0x40, 0x20])
    }
  })

  it('puts transparent pictures on white', async () => {
    const path = await save(plain(50, 50, { r: 0, g: 0, b: 0, alpha: 0 }).png())
    near(await pixel((await thumbnailOf(path, 'image/png')).jpeg), [255, 255, 255])
  })

  it('shows every kind of pixel in sRGB', async () => {
    const red = plain(40, 40, '#c04020').flatten()
    const grey = plain(40, 40, '#808080').flatten().toColourspace('b-w')
    const kinds: [string, Sharp, number[], number][] = [
      ['CMYK JPEG', red.clone().toColourspace('cmyk').jpeg(), [0xc0, 0x40, 0x20], 40],
      ['CMYK TIFF', red.clone().toColourspace('cmyk').tiff(), [0xc0, 0x40, 0x20], 40],
      ['16-bit PNG', red.clone().toColourspace('rgb16').png(), [0xc0, 0x40, 0x20], 6],
      ['grey JPEG', grey.clone().jpeg(), [128, 128, 128], 6],
      ['grey PNG with alpha', grey.clone().ensureAlpha(0.5).png(), [192, 192, 192], 6],
      ['16-bit grey PNG', grey.clone().toColourspace('grey16').png(), [128, 128, 128], 6],
      ['palette PNG', red.clone().png({ palette: true }), [0xc0, 0x40, 0x20], 6],
      ['float TIFF', red.clone().toColourspace('lab').tiff(), [0xc0, 0x40, 0x20], 8],
    ]
    for (const [name, picture, colour, tolerance] of kinds) {
      const made = await thumbnailOf(await save(picture), 'image/png')
      assert.deepEqual([made.width, made.height, made.depth], [40, 40, 'uchar'], name)
      near(await pixel(made.jpeg), colour, tolerance)
    }
  })

  it('keeps the colour profile of an RGB picture, and only that', async () => {
    const red = plain(40, 40).flatten()
    const p3 = await thumbnailOf(await save(red.clone().withIccProfile('p3').jpeg()))
    assert.ok(p3.icc?.includes('P3') || (p3.icc?.length ?? 0) > 0)
    near(
      await pixel(await sharp(p3.jpeg).withIccProfile('srgb').png().toBuffer()),
      [0xc0, 0x40, 0x20],
      10,
    )
    const cmyk = await thumbnailOf(await save(red.clone().withIccProfile('cmyk').jpeg()))
    assert.deepEqual([cmyk.icc, cmyk.space], [undefined, 'srgb'])
  })

  it('has none of the EXIF, such as the place', async () => {
    const path = await save(
      plain(40, 40)
        .flatten()
        .withExif({ IFD0: { Make: 'Maker' } })
        .jpeg(),
    )
    const { exif, xmp } = await thumbnailOf(path)
    assert.deepEqual([exif, xmp], [undefined, undefined])
  })

  it('shows the first frame of an animation', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#0000ff'].map((colour) => plain(60, 40, colour).png().toBuffer()),
    )
    for (const format of ['gif', 'webp'] as const) {
      const animation = sharp(frames, { join: { animated: true } }).toFormat(format, { delay: 100 })
      const made = await thumbnailOf(await save(animation), `image/${format}`)
      assert.deepEqual([made.width, made.height], [60, 40])
      near(await pixel(made.jpeg), [255, 0, 0])
    }
  })

  it('shows the first frame of an animated PNG', {
    skip: without('ffmpeg', '-version'),
  }, async () => {
    const scenes = 'color=red:s=60x40:r=2:d=1[a];color=blue:s=60x40:r=2:d=1[b];[a][b]concat'
    const codec = ['-c:v', 'apng', '-pix_fmt', 'rgb24', '-f', 'apng']
    const path = await madeFilm('animation.png', codec, scenes)
    const made = await thumbnailOf(path, 'image/png')
    near(await pixel(made.jpeg), [255, 0, 0], 8)
  })

  it('has a preview inside 1920x1920', async () => {
    const path = await save(plain(3000, 1500).png())
    const output = join(folder.path, 'preview.jpg')
    const job = { path, mime_type: 'image/png', ffmpeg: null, output }
    assert.deepEqual(await makePicture('preview', job, never), { result: null })
    const { width, height, format } = await sharp(output).metadata()
    assert.deepEqual([width, height, format], [1920, 960, 'jpeg'])
  })

  it('is not made of what nobody may upload, nor of garbage', async () => {
    const output = join(folder.path, 'none.jpg')
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    const jpeg = await plain(40, 40).flatten().jpeg().toBuffer()
    for (const path of [
      await save(svg),
      await save(''),
      await save(jpeg.subarray(0, 100).toString('latin1')),
    ]) {
      assert.ok(
        'failed' in
          (await makeThumbnail({ path, mime_type: 'image/jpeg', ffmpeg: null, output }, never)),
      )
    }
    await assert.rejects(readFile(output), { code: 'ENOENT' })
  })

  it('is not what a decoder left blank that could not read the pixels', async () => {
    const content = await sharp(await plain(64, 64).png().toBuffer())
      .jpeg()
      .toBuffer()
    // One tile of old JPEG, which nobody decodes any more.
    const entries = [
      [256, 64],
      [257, 64],
      [258, 8],
      [259, 6],
      [262, 6],
      [277, 3],
      [322, 64],
      [323, 64],
      [324, 8 + 2 + 10 * 12 + 4],
      [325, content.length],
    ]
    const head = Buffer.alloc(entries.at(-2)![1]!)
    head.write('II*\0', 'latin1')
    head.writeUInt32LE(8, 4)
    head.writeUInt16LE(entries.length, 8)
    for (const [n, [tag, value]] of entries.entries()) {
      const at = 10 + n * 12
      head.writeUInt16LE(tag!, at)
      head.writeUInt16LE(4, at + 2)
      head.writeUInt32LE(1, at + 4)
      head.writeUInt32LE(value!, at + 8)
    }
    const path = join(folder.path, 'old-jpeg.tif')
    await writeFile(path, Buffer.concat([head, content]))
    for (const output640 of [undefined, join(folder.path, 'larger')]) {
      const output = join(folder.path, `old-jpeg-${output640 !== undefined}.jpg`)
      const job = { path, mime_type: 'image/tiff', ffmpeg: null, output, output640 }
      const attempt = await makeThumbnail(job, never)
      assert.ok('failed' in attempt, JSON.stringify(attempt))
      assert.equal(existsSync(output), false)
    }
    for (const kind of ['jpeg', 'png', 'webp'] as const) {
      const { jpeg } = await thumbnailOf(await save(plain(64, 64)[kind]()), `image/${kind}`)
      near(await pixel(jpeg), [0xc0, 0x40, 0x20])
    }
  })

  it('says what the file system says', async () => {
    const path = await save(plain(9, 9).png())
    const output = join(folder.path, 'missing', 'x.jpg')
    await assert.rejects(
      makeThumbnail({ path, mime_type: 'image/png', ffmpeg: null, output }, never),
      {
        code: 'ENOENT',
      },
    )
  })

  it('is made of a progressive JPEG of 200 megapixels as programs write it, and not with all of its colours', async () => {
    for (const [chromaSubsampling, outcome] of [
      ['4:2:0', { result: null }],
      ['4:4:4', { failed: 'takes too much memory' }],
    ] as const) {
      const options = { progressive: true, chromaSubsampling }
      const jpeg = await plain(64, 64).jpeg(options).toBuffer()
      // A decoder that doesn't mind the missing rest takes the memory for all of it.
      const head = jpeg.indexOf(Buffer.from('ffc2', 'hex'))
      jpeg.writeUInt16BE(12_240, head + 5)
      jpeg.writeUInt16BE(16_320, head + 7)
      const path = join(folder.path, 'large.jpg')
      await writeFile(path, jpeg)
      const job = { path, mime_type: 'image/jpeg', ffmpeg: null, output: `${path}.preview` }
      assert.deepEqual(await makePicture('preview', job, () => {}), outcome)
    }
  })

  it('decodes large pictures one at a time', async () => {
    // Of one colour, it is decoded once more, which tells when it has been decoded first.
    const white = { width: 7200, height: 7200, channels: 3, background: '#fff' } as const
    const picture = sharp({ create: white }).toColourspace('b-w')
    const path = await save(picture.png({ compressionLevel: 1 }))
    const events: string[] = []
    const make = async () => {
      const output = join(folder.path, `${names++}.jpg`)
      const job = { path, mime_type: 'image/png', ffmpeg: null, output }
      const waits: boolean[] = []
      await makeThumbnail(job, (isWaiting) => {
        waits.push(isWaiting)
        if (waits.length === 2) events.push('begins')
        if (waits.length === 3) events.push('ends')
      })
      assert.deepEqual(waits, [true, false, true, false])
    }
    await Promise.all([make(), make(), make()])
    // The second may begin before it is told that the first has ended.
    assert.ok(events.indexOf('ends') < events.lastIndexOf('begins'), events.join(', '))
    assert.equal(events.length, 6)
  })
})
