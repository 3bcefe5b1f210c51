import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { readExif } from '../../../src/media/child/exif.ts'
import { temporaryFolder } from '../../support/media/media.ts'
import { type TiffEntry, type TiffLayout, writeTiff } from '../../support/media/tiff.ts'

const MIB = 2 ** 20
const GIB = 2 ** 30

const IFD0: TiffEntry[] = [
  [271, 2, 'A long name of a maker'],
  [272, 2, 'DSC-HX5V'],
]
const EXIF: TiffEntry[] = [
  [33437, 5, [28, 10]],
  [36867, 2, '2011:07:08 09:10:11'],
]
const GPS: TiffEntry[] = [
  [1, 2, 'S'],
  [2, 5, [33, 1, 30, 1, 0, 1]],
  [3, 2, 'W'],
  [4, 5, [70, 1, 15, 1, 36, 1]],
]
const FACTS = {
  Make: 'A long name of a maker',
  Model: 'DSC-HX5V',
  FNumber: 2.8,
  DateTimeOriginal: '2011:07:08 09:10:11',
  GPSLatitudeRef: 'S',
  GPSLatitude: [33, 30, 0],
  GPSLongitudeRef: 'W',
  GPSLongitude: [70, 15, 36],
  latitude: -33.5,
  longitude: -70.26,
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let path: string
before(async () => {
  folder = await temporaryFolder()
  path = join(folder.path, 'taken')
})
after(() => folder.remove())

/** Returns the places of the entries of all directories, and what kind of number says so. */
function entriesOf(tiff: Buffer): { at: number; tag: number }[] {
  const read = (at: number) => {
    const rows = Array.from({ length: tiff.readUInt16LE(at) }, (_, i) => at + 2 + i * 12)
    return rows.flatMap((row): { at: number; tag: number }[] => {
      const tag = tiff.readUInt16LE(row)
      const own = [{ at: row, tag }]
      if (tag !== 0x8769 && tag !== 0x8825) return own
      return [...own, ...read(tiff.readUInt32LE(row + 8))]
    })
  }
  return read(tiff.readUInt32LE(4))
}

describe('an entry that is broken', () => {
  const WAYS: Record<string, (tiff: Buffer, at: number) => void> = {
    'has no type': (tiff, at) => tiff.writeUInt16LE(0, at + 2),
    'has a type that nobody knows': (tiff, at) => tiff.writeUInt16LE(99, at + 2),
    'ends behind the end': (tiff, at) => {
      tiff.writeUInt32LE(100, at + 4)
      tiff.writeUInt32LE(0xfffffff0, at + 8)
    },
    'is larger than all files': (tiff, at) => tiff.writeUInt32LE(0x7fffffff, at + 4),
  }
  /** What is lost with an entry, by its tag. */
  const LOST: Record<number, string[]> = {
    271: ['Make'],
    272: ['Model'],
    33437: ['FNumber'],
    36867: ['DateTimeOriginal'],
    1: ['GPSLatitudeRef', 'latitude', 'longitude'],
    2: ['GPSLatitude', 'latitude', 'longitude'],
    3: ['GPSLongitudeRef', 'latitude', 'longitude'],
    4: ['GPSLongitude', 'latitude', 'longitude'],
    34665: ['FNumber', 'DateTimeOriginal'],
    34853: Object.keys(FACTS).filter((name) => /GPS|itude/.test(name)),
  }

  for (const [how, breakIt] of Object.entries(WAYS)) {
    it(`costs nothing but itself when it ${how}`, async () => {
      await writeTiff(path, { ifd0: IFD0, exif: EXIF, gps: GPS })
      const whole = await readFile(path)
      const entries = entriesOf(whole)
      assert.equal(entries.length, 10)
      for (const { at, tag } of entries) {
        const broken = Buffer.from(whole)
        breakIt(broken, at)
        await writeFile(path, broken)
        const { exif, dropped } = await readExif(path, 'image/tiff')
        const left = Object.entries(FACTS).filter(([name]) => !LOST[tag]!.includes(name))
        assert.deepEqual(exif, Object.fromEntries(left), `${tag}`)
        assert.match(dropped!.join(), new RegExp(`: ${tag} `))
      }
    })
  }

  it('costs a JPEG no more', async () => {
    const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: '#123' } })
    await picture
      .withExif({ IFD0: { Make: 'Sony' }, IFD2: { DateTimeOriginal: '2011:07:08 09:10:11' } })
      .jpeg()
      .toFile(path)
    const jpeg = await readFile(path)
    const tiff = jpeg.subarray(jpeg.indexOf('Exif\0\0') + 6)
    for (const { at, tag } of entriesOf(tiff)) if (tag === 271) tiff.writeUInt16LE(0, at + 2)
    await writeFile(path, jpeg)
    const { exif } = await readExif(path, 'image/jpeg')
    assert.equal(exif.Make, undefined)
    assert.equal(exif.DateTimeOriginal, '2011:07:08 09:10:11')
  })
})

describe('a value', () => {
  it('of more numbers than any tag has is none', async () => {
    await writeTiff(path, { ifd0: IFD0, exif: [[33437, 3, Array(4097).fill(1)], EXIF[1]!] })
    const { exif, dropped } = await readExif(path, 'image/tiff')
    assert.deepEqual([exif.FNumber, exif.DateTimeOriginal], [undefined, FACTS.DateTimeOriginal])
    assert.deepEqual(dropped, ['EXIF: 33437 has 4097 numbers'])
  })
})

describe('the EXIF of a TIFF', () => {
  const LAYOUTS: (TiffLayout & { size?: number })[] = [
    {},
    { directories: 100_000 },
    { values: 100_000 },
    { directories: 3 * MIB, values: 16 },
    { directories: 16, values: 5 * MIB },
    { size: 3 * GIB },
    { values: 1.5 * GIB, size: 3 * GIB },
    { directories: 1.5 * GIB, values: 3 * GIB - 500, size: 3 * GIB },
    { directories: 3 * GIB - 1000, values: 16, size: 3 * GIB },
  ]

  it('is read wherever it is, in either byte order, of a classic TIFF and a BigTIFF', async () => {
    for (const layout of LAYOUTS) {
      for (const isLittle of [true, false]) {
        for (const isBig of [false, true]) {
          await writeTiff(
            path,
            { ifd0: IFD0, exif: EXIF, gps: GPS },
            { ...layout, isLittle, isBig },
          )
          const { exif, dropped } = await readExif(path, 'image/tiff')
          assert.deepEqual(exif, FACTS, JSON.stringify({ ...layout, isLittle, isBig }))
          assert.deepEqual(dropped, [])
        }
      }
    }
  })

  it('is read behind 4 GiB of a BigTIFF', async () => {
    const layout = { isBig: true, directories: 16, values: 5 * GIB }
    await writeTiff(path, { ifd0: IFD0, exif: EXIF, gps: GPS }, layout)
    assert.deepEqual((await readExif(path, 'image/tiff')).exif, FACTS)
  })
})

describe('a position', () => {
  const placeOf = async (latitudeRef: TiffEntry[], longitudeRef: TiffEntry[]) => {
    await writeTiff(path, { ifd0: IFD0, gps: [...latitudeRef, GPS[1]!, ...longitudeRef, GPS[3]!] })
    const { exif } = await readExif(path, 'image/tiff')
    return [exif.latitude, exif.longitude]
  }

  it('is on the hemispheres that its references name', async () => {
    const north: [string, number][] = [
      ['N', 33.5],
      ['n', 33.5],
      ['S', -33.5],
      ['s ', -33.5],
      ['S\0\0\0', -33.5],
    ]
    for (const [ref, latitude] of north) {
      assert.deepEqual(await placeOf([[1, 2, ref]], [[3, 2, 'w']]), [latitude, -70.26], ref)
      assert.deepEqual(await placeOf([[1, 2, ref]], [[3, 2, 'E ']]), [latitude, 70.26], ref)
    }
  })

  it('is nowhere when a reference is missing or names none', async () => {
    const none = [undefined, undefined]
    for (const broken of [[], ...['', ' ', 'X', 'NS', '0', '__proto__'].map((ref) => [ref])]) {
      assert.deepEqual(
        await placeOf(
          broken.map((ref) => [1, 2, ref]),
          [[3, 2, 'W']],
        ),
        none,
      )
      assert.deepEqual(
        await placeOf(
          [[1, 2, 'S']],
          broken.map((ref) => [3, 2, ref]),
        ),
        none,
      )
    }
    assert.deepEqual(await placeOf([[1, 2, 'E']], [[3, 2, 'W']]), none)
    assert.deepEqual(await placeOf([[1, 2, 'S']], [[3, 2, 'S']]), none)
  })
})

describe('a text', () => {
  it('ends at its first NUL, but for the second part of a copyright', async () => {
    const ifd0: TiffEntry[] = [
      [271, 2, 'MAVICA\x003ghx7y'],
      [33432, 2, 'The photographer\0The editor\0rest'],
    ]
    await writeTiff(path, { ifd0 })
    const { exif } = await readExif(path, 'image/tiff')
    assert.deepEqual(exif, { Make: 'MAVICA', Copyright: 'The photographer\nThe editor' })
  })

  it('is a day whatever stands between its numbers', async () => {
    const time: TiffEntry = [7, 5, [5, 1, 8, 1, 0, 1]]
    for (const day of ['2024:05:06', '2024\x0005\x0006', '2024-05-06', '2024/05/06']) {
      await writeTiff(path, { ifd0: [], gps: [time, [29, 2, day]] })
      const { exif, dates } = await readExif(path, 'image/tiff')
      assert.equal(exif.GPSDateStamp, day.replaceAll('\0', ':'))
      const clock = Date.UTC(2024, 4, 6, 5, 8)
      assert.deepEqual(dates, [{ clock, offset: 0, source: 'gps' }], day)
    }
  })

  it('is read in bytes without a type, too, but nothing that is no text', async () => {
    const bytes = (text: string) => [...Buffer.from(text, 'latin1')]
    const ifd0: TiffEntry[] = [
      [271, 7, bytes('Sony\0')],
      [272, 7, bytes('DSC\x01HX5V')],
    ]
    await writeTiff(path, { ifd0 })
    assert.deepEqual((await readExif(path, 'image/tiff')).exif, { Make: 'Sony' })
  })
})
