import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { readColours } from '../../../src/media/child/colours.ts'
import { makePicture, makeThumbnail } from '../../../src/media/child/picture.ts'
import { randomNumbers } from '../../support/file-rows.ts'
import {
  CHART,
  chart,
  chartAvif,
  chartByFfmpeg,
  chartHeic,
  chartPng,
  type Stored,
  withCicp,
} from '../../support/media/hdr.ts'
import { temporaryFolder, withoutEncoder } from '../../support/media/media.ts'
import { after, before, describe, it } from '../../support/test.ts'

const PQ: Stored = { primaries: 'BT.2020', transfer: 'PQ' }
const HLG: Stored = { primaries: 'BT.2020', transfer: 'HLG' }
const WIDE: Stored[] = [
  { primaries: 'BT.2020', transfer: 'sRGB' },
  { primaries: 'P3', transfer: 'sRGB' },
  { primaries: 'P3', transfer: 'PQ' },
  { primaries: 'sRGB', transfer: 'linear' },
]
/** Of a value, by which pictures may differ in the mean: what compression and the edges of fields cost. */
const NEAR = 6

describe('the colours of a picture', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let names = 0
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  const waits = () => {}
  const jobOf = (path: string, mime_type: string) => ({
    ...{ path, mime_type, ffmpeg: 'ffmpeg' },
    output: join(folder.path, `picture-${names++}.jpg`),
  })
  const pixelsOf = (picture: string) => sharp(picture).removeAlpha().raw().toBuffer()
  const differs = (a: Buffer, b: Buffer) =>
    a.reduce((sum, value, at) => sum + Math.abs(value - b[at]!), 0) / a.length

  /** Every picture that is made of it shows the chart. */
  const assertChart = async (path: string, mime_type: string) => {
    const job = jobOf(path, mime_type)
    const made = await makeThumbnail(job, waits)
    assert.ok('result' in made, JSON.stringify(made))
    assert.equal(made.result.isDamaged, false)
    const others = mime_type.startsWith('video/')
      ? (['preview'] as const)
      : (['preview', 'full'] as const)
    const outputs = [job.output]
    for (const kind of others) {
      const other = jobOf(path, mime_type)
      assert.deepEqual(await makePicture(kind, other, waits), { result: null })
      outputs.push(other.output)
    }
    for (const output of outputs) {
      const pixels = await pixelsOf(output)
      const [white] = pixels.subarray((20 * CHART.width + 20) * 3)
      assert.ok(white! >= 250, `${path}: white is ${white}`)
      const difference = differs(pixels, chart())
      assert.ok(difference < NEAR, `${path} differs by ${difference}`)
    }
  }

  it('are those of sRGB in what is made of a PNG with PQ, HLG, other primaries or linear light', async () => {
    for (const stored of [PQ, HLG, ...WIDE]) await assertChart(await chartPng(stored), 'image/png')
  })

  it('are those of sRGB in what is made of an AVIF', async () => {
    await assertChart(await chartAvif(PQ, 10), 'image/avif')
    await assertChart(await chartAvif(HLG, 12), 'image/avif')
    await assertChart(await chartAvif(WIDE[0]!, 8), 'image/avif')
    await assertChart(await chartAvif(WIDE[1]!, 10), 'image/avif')
  })

  it('are those of sRGB in what is made of an AVIF of a film', {
    skip: withoutEncoder('libaom-av1'),
  }, async () => {
    const options = ['-frames:v', '1', '-pix_fmt', 'yuv420p10le', '-c:v', 'libaom-av1']
    const quality = ['-still-picture', '1', '-crf', '10', '-cpu-used', '8']
    const path = await chartByFfmpeg('still.avif', PQ, [...options, ...quality])
    await assertChart(path, 'image/avif')
  })

  it('are those of sRGB in what is made of a HEIC', {
    skip: withoutEncoder('libx265'),
  }, async () => {
    await assertChart(await chartHeic(PQ, 10), 'image/heic')
    await assertChart(await chartHeic(HLG, 8), 'image/heic')
    await assertChart(await chartHeic(WIDE[1]!, 8), 'image/heic')
  })

  it('are those of sRGB in what is made of a film', {
    skip: withoutEncoder('libx265') || withoutEncoder('prores_ks') || withoutEncoder('libvpx-vp9'),
  }, async () => {
    const hevc = [
      '-pix_fmt',
      'yuv420p10le',
      '-c:v',
      'libx265',
      '-x265-params',
      'log-level=error:crf=12:keyint=1',
    ]
    const prores = ['-pix_fmt', 'yuv422p10le', '-c:v', 'prores_ks']
    const vp9 = ['-pix_fmt', 'yuv420p10le', '-c:v', 'libvpx-vp9', '-crf', '10', '-b:v', '0']
    const films: [name: string, type: string, stored: Stored, options: string[]][] = [
      ['pq.mp4', 'video/mp4', PQ, [...hevc, '-tag:v', 'hvc1']],
      ['hlg.mts', 'video/mp2t', HLG, hevc],
      ['pq.mkv', 'video/x-matroska', PQ, hevc],
      ['hlg.mov', 'video/quicktime', HLG, prores],
      ['pq.webm', 'video/webm', PQ, [...vp9, '-cpu-used', '8']],
      ['wide.mp4', 'video/mp4', WIDE[0]!, hevc],
    ]
    for (const [name, type, stored, options] of films) {
      await assertChart(await chartByFfmpeg(name, stored, options), type)
    }
  })

  const coloursOf = async (bytes: Buffer, mime_type: string) => {
    const path = join(folder.path, `head-${names++}`)
    await writeFile(path, bytes)
    return readColours(path, mime_type)
  }

  it('are read for the picture itself, and where they are not those of sRGB', async () => {
    const avif = await readFile(await chartAvif(PQ, 10))
    assert.deepEqual(await coloursOf(avif, 'image/avif'), { primaries: 9, transfer: 16 })
    // Those of a gain map, or of another picture in the file.
    const other = Buffer.from(avif)
    other.writeUInt16BE(2, other.indexOf('pitm') + 8)
    assert.equal(await coloursOf(other, 'image/avif'), null)
    const plain = await sharp(chart(), { raw: { ...CHART, channels: 3 } })
      .png()
      .toBuffer()
    const named = withCicp(plain, { primaries: 'sRGB', transfer: 'sRGB' })
    assert.equal(await coloursOf(named, 'image/png'), null)
    assert.equal(await coloursOf(plain, 'image/png'), null)
    assert.deepEqual(await coloursOf(withCicp(plain, HLG), 'image/png'), {
      ...{ primaries: 9, transfer: 18 },
    })
    assert.equal(await coloursOf(plain, 'image/jpeg'), null)
  })

  it('of a PNG are those that it names, whatever its profile says', async () => {
    const path = join(folder.path, 'profile.png')
    const raw = await sharp(await chartPng(PQ, false))
      .withIccProfile('p3')
      .png()
      .toBuffer()
    await writeFile(path, withCicp(raw, PQ))
    assert.ok((await sharp(path).metadata()).icc)
    const job = jobOf(path, 'image/png')
    assert.ok('result' in (await makeThumbnail(job, waits)))
    assert.equal((await sharp(job.output).metadata()).icc, undefined)
  })

  it('are unknown where the head is cut or broken', async () => {
    const random = randomNumbers(7)
    for (const [path, type] of [
      [await chartAvif(PQ, 10), 'image/avif'],
      [await chartPng(PQ), 'image/png'],
    ] as const) {
      const whole = await readFile(path)
      for (let length = 0; length < 256; length += 5) {
        await coloursOf(whole.subarray(0, length), type)
        const broken = Buffer.from(whole)
        broken[random(256)] = random(256)
        await coloursOf(broken, type)
      }
    }
  })
})
