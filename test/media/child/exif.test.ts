import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { readExif, readExifOf } from '../../../src/media/child/exif.ts'
import { sniff } from '../../../src/media/sniff.ts'
import { cameraFiles } from '../../support/media/camera-files.ts'
import {
  corpus,
  corpusFiles,
  temporaryFolder,
  without,
  withoutCorpus,
} from '../../support/media/media.ts'
import { type TiffEntry, writeTiff } from '../../support/media/tiff.ts'
import { after, before, describe, it } from '../../support/test.ts'

const withoutExiftool = without('exiftool', '-ver')

/** Returns what exiftool says of pictures as cameras write them, by path. */
async function exiftool(...tags: string[]): Promise<Map<string, Record<string, unknown>>> {
  const made = (await cameraFiles()).map(({ path }) => path)
  const options = ['-json', '-fast', '-q', ...tags, ...made, ...corpusFiles()]
  const output = execFileSync('exiftool', options, { stdio: ['ignore', 'pipe', 'ignore'] })
  const rows = JSON.parse(output.toString()) as Record<string, unknown>[]
  return new Map(rows.map((row) => [String(row.SourceFile), row]))
}

async function exifOf(path: string) {
  return readExif(path, (await sniff(path))?.mime_type ?? '')
}

describe('exif', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  it('is not taken for broken or absent where the disk can not read it', async () => {
    const path = join(folder.path, 'unread')
    const read = async () => {
      throw Object.assign(new Error('bad sector'), { code: 'EIO' })
    }
    const plain = sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } })
    for (const bytes of [await plain.jpeg().toBuffer(), Buffer.from('no picture')]) {
      await writeFile(path, bytes)
      for (const mime_type of ['image/jpeg', 'image/tiff']) {
        const picture = { path, file: { size: bytes.length, read }, mime_type }
        await assert.rejects(readExifOf(picture), { code: 'EIO' })
      }
    }
  })

  it('has what cameras say of their pictures', async () => {
    for (const { path, mime_type, says } of await cameraFiles()) {
      assert.equal((await sniff(path))?.mime_type, mime_type)
      const { exif } = await exifOf(path)
      assert.deepEqual(pick(exif, Object.keys(says)), says, basename(path))
      if (!('latitude' in says)) assert.equal(exif.latitude, undefined, basename(path))
    }
  })

  it('has the dates that exiftool reads', { skip: withoutExiftool }, async () => {
    const truth = await exiftool('-ExifIFD:DateTimeOriginal')
    assert.equal(truth.size, (await cameraFiles()).length + corpusFiles().length)
    for (const [path, row] of truth) {
      const { exif } = await exifOf(path)
      assert.equal(exif.DateTimeOriginal, row.DateTimeOriginal, basename(path))
    }
  })

  it('has the position that exiftool reads', { skip: withoutExiftool }, async () => {
    const truth = await exiftool('-n', '-Composite:GPSLatitude', '-Composite:GPSLongitude')
    let positions = 0
    for (const [path, row] of truth) {
      const { exif } = await exifOf(path)
      if (row.GPSLatitude === undefined) {
        assert.equal(exif.latitude, undefined, basename(path))
        continue
      }
      positions++
      assert.ok(Math.abs(Number(exif.latitude) - Number(row.GPSLatitude)) < 1e-9, path)
      assert.ok(Math.abs(Number(exif.longitude) - Number(row.GPSLongitude)) < 1e-9, path)
    }
    assert.ok(positions >= (withoutCorpus ? 2 : 11), `${positions}`)
  })

  it('has the values that exiftool reads', { skip: withoutExiftool }, async () => {
    // Left the name of the standard, right the one of exiftool where it differs.
    const names = {
      Make: 'Make',
      Model: 'Model',
      Orientation: 'Orientation',
      FNumber: 'FNumber',
      ExposureTime: 'ExposureTime',
      PhotographicSensitivity: 'ISO',
      DateTimeDigitized: 'CreateDate',
      ExposureBiasValue: 'ExposureCompensation',
      FocalLength: 'FocalLength',
      Flash: 'Flash',
      MeteringMode: 'MeteringMode',
      PixelXDimension: 'ExifImageWidth',
      LensModel: 'LensModel',
      SubSecTimeOriginal: 'SubSecTimeOriginal',
    }
    const groups = (tag: string) => [`-IFD0:${tag}`, `-ExifIFD:${tag}`]
    const truth = await exiftool('-n', ...Object.values(names).flatMap(groups))
    let compared = 0
    for (const [path, row] of truth) {
      const { exif } = await exifOf(path)
      for (const [ours, theirs] of Object.entries(names)) {
        if (row[theirs] === undefined || row[theirs] === '') continue
        const where = `${ours} of ${basename(path)}`
        if (typeof exif[ours] === 'number') {
          const difference = Math.abs(Number(exif[ours]) / Number(row[theirs]) - 1)
          assert.ok(exif[ours] === row[theirs] || difference < 1e-6, where)
        } else assert.equal(String(exif[ours]), String(row[theirs]).trim(), where)
        compared++
      }
    }
    assert.ok(compared > (withoutCorpus ? 70 : 370), `${compared} values compared`)
  })

  it('is the same object for a picture, name by name', async () => {
    const path = join(folder.path, 'named.tiff')
    const version = [...Buffer.from('0220')]
    const exif: TiffEntry[] = [
      [36864, 7, version],
      [37500, 7, [...Buffer.from('what only its maker knows')]],
      [41728, 7, [3]],
      [41729, 7, [1]],
    ]
    const gps: TiffEntry[] = [
      [1, 2, 'N'],
      [2, 5, [43, 1, 28, 1, 2814, 1000]],
      [5, 1, [0]],
      [29, 2, '2008:10:23'],
    ]
    await writeTiff(path, { ifd0: [[271, 2, 'Maker']], exif, gps })
    assert.deepEqual((await readExif(path, 'image/tiff')).exif, {
      Make: 'Maker',
      ExifVersion: '0220',
      FileSource: 3,
      SceneType: 1,
      GPSLatitudeRef: 'N',
      GPSLatitude: [43, 28, 2.814],
      GPSAltitudeRef: 0,
      GPSDateStamp: '2008:10:23',
    })
  })

  it('is read from every format that can hold it', async () => {
    const picture = sharp({
      create: { width: 9, height: 9, channels: 3, background: '#123' },
    }).withExif({
      IFD0: { Make: 'Maker', Artist: 'Zoe Z' },
      IFD2: { DateTimeOriginal: '2024:05:06 07:08:09', OffsetTimeOriginal: '+02:00' },
      IFD3: {
        GPSLatitudeRef: 'S',
        GPSLatitude: '33/1 30/1 0/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '70/1 15/1 36/1',
      },
    })
    for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
      const path = join(folder.path, `taken.${format}`)
      await picture.clone().toFormat(format).toFile(path)
      const { exif, dates } = await exifOf(path)
      const taken = { clock: Date.UTC(2024, 4, 6, 7, 8, 9), offset: 120, source: 'exif' }
      assert.deepEqual(dates, [taken], format)
      assert.deepEqual(
        pick(exif, ['Make', 'Artist', 'latitude', 'longitude']),
        { Make: 'Maker', Artist: 'Zoe Z', latitude: -33.5, longitude: -70.26 },
        format,
      )
    }
  })

  it('loses its largest values beyond 64 KiB', async () => {
    const path = join(folder.path, 'wordy.webp')
    await sharp({ create: { width: 9, height: 9, channels: 3, background: '#123' } })
      .withExif({
        IFD0: {
          ImageDescription: '"'.repeat(24_000),
          Software: '"'.repeat(20_000),
          Artist: 'a'.repeat(1000),
        },
      })
      .webp()
      .toFile(path)
    const { exif } = await exifOf(path)
    assert.ok(Buffer.byteLength(JSON.stringify(exif)) <= 65_536)
    assert.equal('ImageDescription' in exif, false)
    assert.equal(String(exif.Software).length, 20_000)
    assert.equal(String(exif.Artist).length, 1000)
  })

  it('is always plain JSON, whatever is broken', async () => {
    const path = join(folder.path, 'broken')
    const made = (await cameraFiles()).filter(({ path }) =>
      /camera\.jpg|phone|silent|scan/.test(path),
    )
    const more = ['gps/DSCN0010.jpg', 'odd-exif/no_exif.jpg', 'tiff/Arbitro.tiff']
    const paths = [
      ...made.map(({ path }) => path),
      ...(withoutCorpus ? [] : more.map((name) => corpus(name))),
    ]
    for (const name of paths) {
      const original = await readFile(name)
      const head = Math.min(2000, original.length - 20)
      for (let i = 0; i < 40; i++) {
        const noise = createHash('sha512')
          .update(`${basename(name)} ${i}`)
          .digest()
        const broken = Buffer.from(original.subarray(0, 20_000))
        for (let n = 0; n < 32; n += 2) broken[20 + (noise.readUInt16LE(n) % head)] = noise[n + 32]!
        await writeFile(path, broken)
        const { exif } = await readExif(path, name.endsWith('tiff') ? 'image/tiff' : 'image/jpeg')
        const text = JSON.stringify(exif)
        assert.deepEqual(JSON.parse(text), exif)
        assert.equal(text.includes('\\u0000'), false)
        assert.equal(Buffer.from(text).toString(), text)
      }
    }
  })

  it('is empty for a film, for garbage, and for nothing', async () => {
    const path = join(folder.path, 'garbage')
    await writeFile(path, 'II*\0\xff\xff\xff\xffgarbage')
    const none = async (mime_type: string) => {
      const { exif, dates } = await readExif(path, mime_type)
      assert.deepEqual({ exif, dates }, { exif: {}, dates: [] })
    }
    await none('image/tiff')
    await none('image/jpeg')
    await none('video/mp4')
    await writeFile(path, '')
    await none('image/heic')
  })
})

function pick(object: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, object[name]]))
}
