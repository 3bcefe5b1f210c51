import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import sharp, { type Exif } from 'sharp'
import { nothingSaid } from '../../src/media/description.ts'
import { useLibraryInRome } from '../support/dates/in-rome.ts'
import { assertError } from '../support/files.ts'
import { form, picture } from '../support/harness.ts'
import { putFile, runImport } from '../support/imports.ts'
import { exifOf, gifWith, jpegWith, pngWith, webpWith, xmpOf } from '../support/media/embedded.ts'

const NOON_OF_2018 = '2018-07-03T10:00:00.000Z'

const rome = useLibraryInRome()
const { call } = rome

interface Dated {
  content_datetime: string
  content_offset: number | null
  date_source: string | null
}
const dateOf = ({ content_datetime, content_offset, date_source }: Dated) => [
  content_datetime,
  content_offset,
  date_source,
]
const pictureWith = (exif: Exif) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } })
    .withExif(exif)
    .jpeg()
    .toBuffer()
const upload = async (name: string, fields: Record<string, string> = {}, exif?: Exif) => {
  const bytes = exif ? await pictureWith(exif) : await picture()
  const answer = await rome.library.upload(rome.ann.token, bytes, name, fields)
  assert.equal(answer.status, 201, answer.text)
  return answer.body as Dated & { id: string }
}
const uploadedDate = async (...args: Parameters<typeof upload>) => dateOf(await upload(...args))
const arrival = () => [new Date(rome.library.time.now).toISOString(), null, 'upload']

describe('the date of an upload', () => {
  const TAKEN = { IFD2: { DateTimeOriginal: '2019:03:04 05:06:07' } }

  it('is the given one, with its zone', async () => {
    const given = (content_datetime: string) =>
      uploadedDate('IMG-20180703-WA0001.jpg', { content_datetime }, TAKEN)
    assert.deepEqual(await given('2020-01-02T03:04:05+05:45'), [
      '2020-01-01T21:19:05.000Z',
      345,
      'given',
    ])
    assert.deepEqual(await given('2020-01-02T03:04:05Z'), [
      '2020-01-02T03:04:05.000Z',
      null,
      'given',
    ])
    // Unlike any other, it may be in the future, or before there were cameras.
    assert.deepEqual(await given('2120-01-02T03:04:05-00:30'), [
      '2120-01-02T03:34:05.000Z',
      -30,
      'given',
    ])
    assert.deepEqual(await given('1970-01-01T00:00:00Z'), [
      '1970-01-01T00:00:00.000Z',
      null,
      'given',
    ])
  })

  it('is found in a content where other programs would not look', async () => {
    const plain = sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } })
    const [jpeg, png, webp, gif] = await Promise.all(
      (['jpeg', 'png', 'webp', 'gif'] as const).map((type) =>
        plain.clone().toFormat(type).toBuffer(),
      ),
    )
    const exif = exifOf('2019:08:07 06:05:04')
    const xmp = xmpOf('DateTimeOriginal', '2019-08-07T06:05:04Z')
    const contents: [name: string, bytes: Buffer, source: string][] = [
      [
        'two.jpg',
        jpegWith(jpeg!, [
          [0xe1, 'Exif\0\0', exifOf(null)],
          [0xe1, 'Exif\0\0', exif],
        ]),
        'exif',
      ],
      ['late.png', pngWith(png!, [['eXIf', exif]], true), 'exif'],
      ['unflagged.webp', webpWith(webp!, [['EXIF', exif]]), 'exif'],
      ['xmp.gif', gifWith(gif!, xmp), 'xmp'],
    ]
    for (const [name, bytes, source] of contents) {
      const { body } = await rome.library.upload(rome.ann.token, bytes, name)
      // In summer, Rome is two hours ahead.
      const hour = source === 'xmp' ? '06' : '04'
      const expected = [`2019-08-07T${hour}:05:04.000Z`, source === 'xmp' ? 0 : 120, source]
      assert.deepEqual(dateOf(body as Dated), expected, name)
    }
  })

  it('is else what the content says, in the zone of the library where it names none', async () => {
    const name = 'IMG-20180703-WA0001.jpg'
    const taken = ['2019-03-04T04:06:07.000Z', 60, 'exif']
    assert.deepEqual(await uploadedDate(name, {}, TAKEN), taken)
    const zoned = {
      IFD2: { ...TAKEN.IFD2, OffsetTimeOriginal: '-08:00', SubSecTimeOriginal: '25' },
    }
    assert.deepEqual(await uploadedDate(name, {}, zoned), [
      '2019-03-04T13:06:07.250Z',
      -480,
      'exif',
    ])
    const unset = { IFD2: { DateTimeOriginal: '1980:01:01 00:00:00' } }
    assert.deepEqual(await uploadedDate('x.jpg', {}, unset), arrival())
    const gps = { IFD3: { GPSDateStamp: '2019:03:04', GPSTimeStamp: '1/1 2/1 3/1' } }
    assert.deepEqual(await uploadedDate(name, {}, gps), ['2019-03-04T01:02:03.000Z', 0, 'gps'])
    const hours = {
      IFD3: { GPSDateStamp: '2019:03:04', GPSTimeStamp: '10345679/10000000 0/1 0/1' },
    }
    assert.deepEqual(await uploadedDate(name, {}, hours), ['2019-03-04T01:02:04.444Z', 0, 'gps'])
    assert.deepEqual(await uploadedDate(name, {}, { ...TAKEN, ...gps }), [
      '2019-03-04T01:06:07.000Z',
      240,
      'exif',
    ])
  })

  it('is else that in its name, at noon or at the time of its last change', async () => {
    const name = 'IMG-20180703-WA0001.jpg'
    assert.deepEqual(await uploadedDate(name), [NOON_OF_2018, 120, 'name'])
    const named = (stem: string) => uploadedDate(`${stem}.jpg`, { modified: NOON_OF_2018 })
    assert.deepEqual(await named('IMG_20180703_183000123'), [
      '2018-07-03T16:30:00.123Z',
      120,
      'name',
    ])
    // Pixels name their pictures by UTC, and WeChat by the milliseconds since 1970.
    const inUtc = ['2018-07-03T18:30:00.123Z', 120, 'name']
    assert.deepEqual(await named('PXL_20180703_183000123'), inUtc)
    assert.deepEqual(await named('mmexport1530642600123'), inUtc)
    const modified = (time: string) => uploadedDate(name, { modified: time })
    assert.deepEqual(await modified('2018-07-03T21:59:59Z'), [
      '2018-07-03T21:59:59.000Z',
      120,
      'name',
    ])
    // By the clock of Rome, that was on the next day.
    assert.deepEqual(await modified('2018-07-03T22:00:00Z'), [NOON_OF_2018, 120, 'name'])
    assert.deepEqual(await modified('2018-07-03T23:00:00-03:00'), [
      '2018-07-04T02:00:00.000Z',
      -180,
      'name',
    ])
  })

  it('is else the last change of its source, else its arrival', async () => {
    const modified = (time: string, name = 'x.jpg') => uploadedDate(name, { modified: time })
    assert.deepEqual(await modified('2018-01-03T21:59:59.5Z'), [
      '2018-01-03T21:59:59.500Z',
      60,
      'mtime',
    ])
    assert.deepEqual(await modified('2018-01-03T21:59:59-05:00'), [
      '2018-01-04T02:59:59.000Z',
      -300,
      'mtime',
    ])
    for (const time of [
      '1970-01-01T00:00:00Z',
      '2120-01-01T00:00:00Z',
      '1825-01-01T00:00:00Z',
      '',
    ]) {
      assert.deepEqual(await modified(time, 'IMG_30180703_183000.jpg'), arrival(), time)
    }
    const wrong = await rome.library.upload(rome.ann.token, await picture(), 'x.jpg', {
      modified: '2018-01-03',
    })
    assertError(wrong, 400, 'validation_error', ['modified'])
  })
})

describe('the date of a content that is read late', () => {
  it('mends what is from outside the content, and no other', async () => {
    const { decoder } = rome.library.deps
    const { derive } = decoder
    const dates = { date: null, late: [] }
    const refused = {
      exif: {},
      description: nothingSaid(),
      phash: null,
      finer: null,
      looks: null,
      state: 'pending',
      is_damaged: false,
    } as const
    decoder.derive = async () => ({ ...refused, dates, decoder_version: decoder.version })
    const taken = { IFD2: { DateTimeOriginal: '2019:03:04 05:06:07' } }
    const named = await upload('IMG-20180703-WA0001.jpg', {}, taken)
    const modified = await upload('x.jpg', { modified: NOON_OF_2018 }, taken)
    const arrived = await upload('x.jpg', {}, taken)
    const given = await upload('x.jpg', { content_datetime: NOON_OF_2018 }, taken)
    const year = { IFD2: { DateTimeOriginal: '2018:00:00 00:00:00' } }
    const finer = await upload('IMG_20180703_120000.jpg', {}, year)
    rome.library.time.now += 1000
    const replaced = await upload('IMG-20180703-WA0001.jpg')
    rome.library.time.now += 1000
    const other = form(await pictureWith(taken), 'x.jpg')
    await call('PUT', `/files/${replaced.id}/content`, other)
    decoder.derive = derive

    const dateNow = async ({ id }: { id: string }, says = taken) => {
      await rome.library.fetchRaw('GET', `/files/${id}/thumbnail`, { token: rome.ann.token })
      const { body } = await call('GET', `/files/${id}`)
      assert.equal(body.exif.DateTimeOriginal, says.IFD2.DateTimeOriginal)
      return dateOf(body)
    }
    const mended = ['2019-03-04T04:06:07.000Z', 60, 'exif']
    for (const file of [named, modified, arrived]) assert.deepEqual(await dateNow(file), mended)
    assert.deepEqual(await dateNow(given), [NOON_OF_2018, null, 'given'])
    assert.deepEqual(await dateNow(replaced), [NOON_OF_2018, 120, 'name'])
    assert.deepEqual(await dateNow(finer, year), [NOON_OF_2018, 120, 'name'])
  })
})

describe('the date of an import', () => {
  it('is that of its content, else the last change of its source, never that in its name', async () => {
    const folder = rome.library.deps.config.importPath!
    mkdirSync(folder, { recursive: true })
    putFile(folder, 'IMG-20180703-WA0001.jpg', await picture())
    putFile(folder, 'taken.jpg', await pictureWith({ IFD0: { DateTime: '2019:03:04 05:06:07' } }))
    await runImport(rome.library, rome.ann.token)
    const { items } = (await call('GET', '/files?sort=created&limit=2')).body
    const dates = Object.fromEntries(
      items.map((file: Dated & { original_name: string }) => [file.original_name, dateOf(file)]),
    )
    assert.deepEqual(dates, {
      'IMG-20180703-WA0001.jpg': ['2020-05-06T07:08:09.000Z', 120, 'mtime'],
      'taken.jpg': ['2019-03-04T04:06:07.000Z', 60, 'exif'],
    })
  })
})

describe('the date that a person gives to a file', () => {
  it('keeps the zone unless it comes with one', async () => {
    const { id } = await upload('IMG-20180703-WA0001.jpg')
    const patch = async (content_datetime: string) =>
      dateOf((await call('PATCH', `/files/${id}`, { content_datetime })).body)
    // A client that sends the whole file back gives nothing.
    assert.deepEqual(await patch(NOON_OF_2018), [NOON_OF_2018, 120, 'name'])
    assert.deepEqual(await patch('2018-07-03T12:00:00+02:00'), [NOON_OF_2018, 120, 'name'])
    assert.deepEqual(await patch('2018-01-03T10:00:00Z'), [
      '2018-01-03T10:00:00.000Z',
      120,
      'given',
    ])
    assert.deepEqual(await patch('2018-01-03T10:00:00-01:00'), [
      '2018-01-03T11:00:00.000Z',
      -60,
      'given',
    ])
    const given = { content_offset: 0, date_source: 'exif', notes: 'x' }
    const { body } = await call('PATCH', `/files/${id}`, given)
    assert.deepEqual(dateOf(body), ['2018-01-03T11:00:00.000Z', -60, 'given'])
  })

  it('is taken back with its zone and its source', async () => {
    const { id } = await upload('IMG-20180703-WA0001.jpg')
    const patch = async (content_datetime: string) => {
      const { headers } = await call('PATCH', `/files/${id}`, { content_datetime })
      return headers.get('Operation')
    }
    const dateNow = async () => dateOf((await call('GET', `/files/${id}`)).body)
    const first = await patch('2018-01-03T10:00:00-01:00')
    assert.equal((await call('POST', `/operations/${first}/undo`)).body.undone, 1)
    assert.deepEqual(await dateNow(), [NOON_OF_2018, 120, 'name'])

    const second = await patch('2018-01-03T10:00:00-01:00')
    await patch('2018-01-04T10:00:00Z')
    const { undone, kept_total } = (await call('POST', `/operations/${second}/undo`)).body
    assert.deepEqual([undone, kept_total], [0, 1])
    assert.deepEqual(await dateNow(), ['2018-01-04T10:00:00.000Z', -60, 'given'])
  })

  it('goes with its zone and its source to the file that another is merged into', async () => {
    const keep = await upload('x.jpg')
    const discard = await upload('IMG-20180703-WA0001.jpg')
    const { headers, body } = await call('POST', '/files/duplicates/resolve', {
      keep: keep.id,
      discard: discard.id,
      fields: { content_datetime: 'discard' },
    })
    assert.deepEqual(dateOf(body), [NOON_OF_2018, 120, 'name'])
    await call('POST', `/operations/${headers.get('Operation')}/undo`)
    assert.deepEqual(dateOf((await call('GET', `/files/${keep.id}`)).body), dateOf(keep))
  })

  it('stays when the content is replaced', async () => {
    const { id } = await upload('IMG-20180703-WA0001.jpg')
    const taken = await pictureWith({ IFD2: { DateTimeOriginal: '2019:03:04 05:06:07' } })
    const { body } = await call('PUT', `/files/${id}/content`, form(taken, 'IMG-20170101-WA1.jpg'))
    assert.deepEqual(dateOf(body), [NOON_OF_2018, 120, 'name'])
  })
})
