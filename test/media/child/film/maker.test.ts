import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readVideo } from '../../../../src/media/child/film/video.ts'
import { filmBytes, madeFilm } from '../../../support/media/film.ts'
import {
  box,
  dated,
  motorolaTiffOf,
  nikonEntry,
  tiffOf,
  withMore,
} from '../../../support/media/iso-film.ts'
import { temporaryFolder, without } from '../../../support/media/media.ts'
import { after, before, describe, it } from '../../../support/test.ts'

const withoutExiftool = without('exiftool', '-ver')
const CLOCK = Date.UTC(2025, 2, 29, 20, 14, 32)
const HOUR = 3_600_000

describe('when a film was made', { skip: without('ffmpeg', '-version') }, () => {
  const mpeg4 = ['-c:v', 'mpeg4']
  const SHOWS = 'testsrc=duration=1:size=96x64:rate=5'
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let plain: Buffer
  before(async () => {
    folder = await temporaryFolder()
    plain = await filmBytes('plain.mov', mpeg4, SHOWS)
  })
  after(() => folder.remove())

  const told = async (path: string, mime_type = 'video/quicktime') => {
    const { dates, exif } = await readVideo(path, mime_type)
    const [best] = dates
    return { best: best && [best.clock, best.offset], dates, camera: [exif.Make, exif.Model] }
  }
  const save = async (bytes: Buffer) => {
    const path = join(folder.path, 'made.mov')
    await writeFile(path, bytes)
    return path
  }
  const exiftool = (path: string, ...tags: string[]) =>
    execFileSync('exiftool', ['-s3', '-ee', ...tags.map((tag) => `-${tag}`), path], {
      encoding: 'utf8',
    })
      .trim()
      .split('\n')

  const clockText = Buffer.from('2025:03:29 20:14:32\0')
  const short = (value: number) => {
    const bytes = Buffer.alloc(2)
    bytes.writeInt16BE(value)
    return bytes
  }
  const nikon = (zone: number) =>
    box(
      'udta',
      box(
        'NCDT',
        box('NCTG', [
          nikonEntry(1, 2, 6, Buffer.from('NIKON\0')),
          nikonEntry(2, 2, 12, Buffer.from('NIKON Z50_2\0')),
          nikonEntry(0x13, 4, 2, Buffer.alloc(8)),
          nikonEntry(0x11, 2, 20, clockText),
          nikonEntry(0x12, 2, 20, clockText),
          nikonEntry(0x19, 8, 1, short(zone)),
        ]),
      ),
    )
  const sony = (text: string) =>
    box('meta', [
      Buffer.alloc(4),
      box('hdlr', Buffer.concat([Buffer.alloc(8), Buffer.from('nrtm'), Buffer.alloc(13)])),
      box(
        'xml ',
        Buffer.concat([
          Buffer.alloc(4),
          Buffer.from(
            `<?xml version="1.0"?><NonRealTimeMeta><CreationDate value="${text}"/>` +
              '<Device manufacturer="Sony" modelName="ILCE-7SM3" serialNo="1"/></NonRealTimeMeta>',
          ),
        ]),
      ),
    ])
  const [MAKE, MODEL, EXIF, TAKEN, OFFSET, NOTE, TIMES] = [
    ...[0x010f, 0x0110, 0x8769, 0x9003, 0x9011, 0x927c, 0x0035],
  ] as [number, number, number, number, number, number, number]
  const TIME = '2025:03:29 20:14:32'
  const jpegWith = (tiff: Buffer) => {
    const head = Buffer.from('ffd8ffe10000', 'hex')
    head.writeUInt16BE(tiff.length + 8, 4)
    return Buffer.concat([head, Buffer.from('Exif\0\0'), tiff, Buffer.from('ffd9', 'hex')])
  }
  const canon = (...boxes: Buffer[]) =>
    box('uuid', [Buffer.from('85c0b687820f11e08111f4ce462b6a48', 'hex'), ...boxes])
  // Of a TIFF, what comes behind its head; Fuji's places count from its first directory, Casio's from their own head.
  const [casioNotes, fujiNotes] = [motorolaTiffOf, tiffOf].map((made, n) => {
    const tiff = made({ [MAKE]: ['CASIO', 'FUJIFILM'][n]!, [MODEL]: 'A camera', [TAKEN]: TIME })
    for (let row = 0; row < 3; row++) {
      const at = 8 + 2 + row * 12 + 8
      if (n === 0) tiff.writeUInt32BE(tiff.readUInt32BE(at) + 2, at)
      else tiff.writeUInt32LE(tiff.readUInt32LE(at) - 8, at)
    }
    return Buffer.concat([Buffer.alloc(n === 0 ? 10 : 16), tiff.subarray(8)])
  }) as [Buffer, Buffer]
  const casio = box('udta', box('QVMI', casioNotes))
  const fuji = box('udta', box('MVTG', fujiNotes))
  const canonCamera = { [MAKE]: 'Canon', [MODEL]: 'Canon EOS R6' }
  const zoned = { [TAKEN]: TIME, [OFFSET]: '-03:30' }

  it('is told by the maker’s clock and its zone', async () => {
    const header = dated(plain, CLOCK)
    const panasonic = Buffer.alloc(0x4080)
    const lumix = motorolaTiffOf(
      { [MAKE]: 'Panasonic', [MODEL]: 'DC-FT7', [EXIF]: 'next' },
      { [TAKEN]: TIME, [OFFSET]: '+05:45' },
    )
    const canonNotes = tiffOf(
      { ...canonCamera, [EXIF]: 'next' },
      { [TAKEN]: TIME, [NOTE]: 'notes' },
      { [TIMES]: [16, 540, 6, 0] },
    )
    const films: [string, Buffer, number | null, (string | undefined)[]][] = [
      ['Nikon', withMore(header, nikon(480)), 480, ['NIKON', 'NIKON Z50_2']],
      ['Nikon, west', withMore(header, nikon(-210)), -210, ['NIKON', 'NIKON Z50_2']],
      [
        'Sony',
        Buffer.concat([header, sony('2025-03-29T20:14:32+01:00')]),
        60,
        ['Sony', 'ILCE-7SM3'],
      ],
      [
        'Canon',
        withMore(header, canon(box('CMT1', tiffOf(canonCamera)), box('CMT2', tiffOf(zoned)))),
        -210,
        ['Canon', 'Canon EOS R6'],
      ],
      [
        'Canon, by its own notes',
        withMore(
          header,
          canon(
            box('CMT1', tiffOf(canonCamera)),
            box('CMT2', tiffOf({ [TAKEN]: TIME })),
            box('CMT3', tiffOf({ [TIMES]: [16, 120, 28, 60] })),
          ),
        ),
        120,
        ['Canon', 'Canon EOS R6'],
      ],
      [
        'Canon, by its small picture',
        withMore(header, box('udta', box('CNTH', box('CNDA', jpegWith(canonNotes))))),
        540,
        ['Canon', 'Canon EOS R6'],
      ],
      [
        'Panasonic',
        withMore(header, box('udta', box('PANA', [panasonic, jpegWith(lumix)]))),
        345,
        ['Panasonic', 'DC-FT7'],
      ],
      ['Casio', withMore(header, casio), null, ['CASIO', 'A camera']],
      ['Fuji', withMore(header, fuji), null, ['FUJIFILM', 'A camera']],
    ]
    for (const [name, film, offset, camera] of films) {
      const found = await told(await save(film))
      assert.deepEqual(found.best, [CLOCK, offset], name)
      assert.deepEqual(found.camera, camera, name)
      assert.deepEqual(found.dates[1], { clock: CLOCK, offset: 0, source: 'video' }, name)
    }
  })

  it('is what exiftool tells', { skip: withoutExiftool }, async () => {
    const film = await save(withMore(plain, nikon(480)))
    const tags = ['Nikon:DateTimeOriginal', 'Nikon:TimeZone', 'Nikon:Make', 'Nikon:Model']
    assert.deepEqual(exiftool(film, ...tags), [TIME, '480', 'NIKON', 'NIKON Z50_2'])
    const clip = await save(Buffer.concat([plain, sony('2025-03-29T20:14:32+01:00')]))
    assert.deepEqual(exiftool(clip, 'XML:CreationDateValue'), [`${TIME}+01:00`])
    const boxes = [tiffOf(canonCamera), tiffOf(zoned), tiffOf({ [TIMES]: [16, 120, 28, 60] })]
    const eos = canon(...boxes.map((tiff, n) => box(`CMT${n + 1}`, tiff)))
    const ofCanon = ['DateTimeOriginal', 'OffsetTimeOriginal', 'Canon:TimeZone']
    assert.deepEqual(exiftool(await save(withMore(plain, eos)), ...ofCanon), [
      TIME,
      '-03:30',
      '+02:00',
    ])
    for (const notes of [casio, fuji]) {
      const path = await save(withMore(plain, notes))
      assert.deepEqual(exiftool(path, 'DateTimeOriginal', 'Model'), [TIME, 'A camera'])
    }
    const since1970 = await save(dated(plain, CLOCK, true))
    assert.deepEqual(exiftool(since1970, 'QuickTime:CreateDate'), [TIME])
  })

  it('is told by what Panasonic writes into its semi-professional films', async () => {
    const xml =
      '<ClipMain><ClipContent><Shoot><StartDate>2025-03-29T20:14:32-08:00</StartDate></Shoot>' +
      '<Device><Manufacturer>Panasonic</Manufacturer><ModelName>DC-GH6</ModelName></Device>' +
      '</ClipContent></ClipMain>'
    const key = ['-metadata', `com.panasonic.Semi-Pro.metadata.xml=${xml}`]
    const options = [...mpeg4, ...key, '-movflags', 'use_metadata_tags']
    const found = await told(await madeFilm('panasonic.mov', options, SHOWS))
    assert.deepEqual(found.best, [CLOCK, -480])
    assert.deepEqual(found.camera, ['Panasonic', 'DC-GH6'])
  })

  it('is in UTC by headers alone, whether they count from 1904 or from 1970', async () => {
    for (const isUnix of [false, true]) {
      const { best, camera } = await told(await save(dated(plain, CLOCK, isUnix)))
      assert.deepEqual(best, [CLOCK, 0])
      assert.deepEqual(camera, [undefined, undefined])
    }
  })

  it('has the zone by which a clock without one differs from a header', async () => {
    const eos = canon(box('CMT1', tiffOf(canonCamera)), box('CMT2', tiffOf({ [TAKEN]: TIME })))
    const zones: [number, number | null][] = [
      [5.75 * HOUR, 345],
      [-3.5 * HOUR, -210],
      [2 * HOUR - 1000, 120],
      // The header shows the same clock, or has been written by a program later.
      [0, null],
      [40 * 60_000 + 12_000, null],
      [20 * HOUR, null],
    ]
    for (const [ahead, offset] of zones) {
      const film = withMore(dated(plain, CLOCK - ahead), eos)
      assert.deepEqual((await told(await save(film))).best, [CLOCK, offset], String(ahead))
    }
  })

  it('is told by the tags of programs and phones', async () => {
    const day = Date.UTC(2010, 1, 12)
    const TEXTS: [string, number, number | null][] = [
      ['2010-02-12T13:27:14-0800', day + 13 * HOUR + 27 * 60_000 + 14_000, -480],
      ['2010-02-12T13:27:14+02:00', day + 13 * HOUR + 27 * 60_000 + 14_000, 120],
      ['2010-02-12 13:27:14', day + 13 * HOUR + 27 * 60_000 + 14_000, null],
      ['2010-02-12', day + 12 * HOUR, null],
    ]
    const kinds: [string, string, string][] = [
      ['day.mov', 'video/quicktime', 'date'],
      ['day.mp4', 'video/mp4', 'date'],
      ['day.mkv', 'video/x-matroska', 'DATE_RECORDED'],
      ['day.avi', 'video/x-msvideo', 'date'],
    ]
    for (const [name, mime_type, tag] of kinds) {
      for (const [text, clock, offset] of TEXTS) {
        const path = await madeFilm(name, [...mpeg4, '-metadata', `${tag}=${text}`], SHOWS)
        assert.deepEqual((await told(path, mime_type)).best, [clock, offset], `${name} ${text}`)
      }
    }
  })

  it('is a moment within a day or year that a tag tells, and a year alone comes last', async () => {
    const created = ['-metadata', 'creation_time=2010-02-12T22:01:02Z']
    const header = Date.UTC(2010, 1, 12, 22, 1, 2)
    const dayOf = (year: number, month: number, day: number) => Date.UTC(year, month, day, 12)
    const TEXTS: [string, number, number | null][] = [
      ['2010-02-12', header, 0],
      ['2010', header, 0],
      ['1987-06-05', dayOf(1987, 5, 5), null],
      ['1987', header, 0],
    ]
    for (const [text, clock, offset] of TEXTS) {
      const tag = ['-metadata', `date=${text}`]
      const path = await madeFilm('part.mov', [...mpeg4, ...created, ...tag], SHOWS)
      assert.deepEqual((await told(path)).best, [clock, offset], text)
    }
    const undated = await madeFilm('year.mov', [...mpeg4, '-metadata', 'date=1987'], SHOWS)
    const { dates } = await told(undated)
    const last = dates.at(-1)
    const year = { clock: dayOf(1987, 6, 2), offset: null, source: 'video', precision: 'year' }
    assert.deepEqual(last, year)
  })

  it('is the header’s when the notes are broken', async () => {
    const header = dated(plain, CLOCK)
    const whole = canon(box('CMT2', tiffOf({ ...canonCamera, ...zoned })))
    const far = tiffOf({ [TAKEN]: TIME })
    far.writeUInt32LE(0x7fffffff, 8 + 2 + 8)
    const endless = tiffOf({ [EXIF]: 'next' })
    const parts = [
      box('udta', box('NCDT', box('NCTG', Buffer.alloc(7)))),
      box('udta', box('NCDT', box('NCTG', Buffer.alloc(70_000, 0xff)))),
      box('udta', box('NCDT', box('NCTG', nikonEntry(0x12, 2, 20, Buffer.from('2025'))))),
      box('udta', box('CNTH', box('CNDA', Buffer.from('Exif\0\0II')))),
      box('udta', box('PANA', Buffer.alloc(70_000, 'Exif\0\0MM\0*'))),
      canon(box('CMT2', far)),
      canon(box('CMT2', endless)),
      canon(box('CMT3', tiffOf({ [TIMES]: [16] }))),
      box('meta', Buffer.from('\0\0\0\0\0\0\0\0xml ')),
    ]
    for (let length = 0; length < 60; length++) {
      parts.push(box('uuid', whole.subarray(8, 8 + 16 + 8 + length)))
    }
    for (const [n, part] of parts.entries()) {
      const { dates } = await told(await save(withMore(header, part)))
      assert.deepEqual(dates[0], { clock: CLOCK, offset: 0, source: 'video' }, String(n))
    }
    const odd = await told(await save(withMore(header, nikon(30_000))))
    assert.deepEqual(odd.best, [CLOCK, null])
  })
})
