import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { type Derivatives, startDecoder } from '../../../src/media/decoder/decoder.ts'
import { nothingSaid, type Sidecar } from '../../../src/media/description.ts'
import { exifOf, jpegWith, xmpOf } from '../../support/media/embedded.ts'
import { temporaryFolder } from '../../support/media/media.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const sidecar = (kind: Sidecar['kind'], text: string | Buffer): Sidecar => ({
  kind,
  base64: Buffer.from(text as string).toString('base64'),
})
const json = (fields: object) => sidecar('json', JSON.stringify(fields))

/** 2019-07-06 23:30 UTC, which is the next day in Rome. */
const TAKEN = Date.UTC(2019, 6, 6, 23, 30)
const takeout = json({
  title: 'IMG_1.jpg',
  description: 'Am Meer',
  photoTakenTime: { timestamp: String(TAKEN / 1000) },
  creationTime: { timestamp: '1600000000' },
  geoData: { latitude: 0, longitude: 0, altitude: 0 },
  geoDataExif: { latitude: 45.44, longitude: 12.34, altitude: 0 },
  people: [{ name: 'Anna' }],
  favorited: true,
  googlePhotosOrigin: { fromPartnerSharing: {} },
})

describe('a picture with sidecars', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let plain: Buffer
  const decoder = startDecoder({ log: silent, timeZone: 'Europe/Rome' })
  before(async () => {
    folder = await temporaryFolder()
    const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: '#123' } })
    plain = await picture.jpeg().toBuffer()
  })
  after(async () => {
    await decoder.close()
    await folder.remove()
  })

  async function derive(content: Buffer, sidecars?: Sidecar[]): Promise<Derivatives> {
    const path = join(folder.path, 'picture.jpg')
    await writeFile(path, content)
    const thumbnailPath = join(folder.path, 'thumbnail')
    return decoder.derive({ path, mime_type: 'image/jpeg', thumbnailPath, sidecars })
  }
  const exif = (date: string) => jpegWith(plain, [[0xe1, 'Exif\0\0', exifOf(date)]])

  it('says nothing where there are none', async () => {
    const { description, state } = await derive(plain)
    assert.deepEqual([description, state], [nothingSaid(), 'made'])
  })

  it('gets what a service says, its moment by the clock of the server', async () => {
    const { description, dates, exif } = await derive(plain, [takeout])
    assert.deepEqual(description, {
      ...nothingSaid(),
      people: ['Anna'],
      caption: 'Am Meer',
      date: { clock: TAKEN, offset: 0, precision: null, isUtc: true },
      position: { latitude: 45.44, longitude: 12.34 },
      isFavorite: true,
      isPartners: true,
      from: ['JSON people', 'JSON description'],
    })
    assert.deepEqual(exif, { latitude: 45.44, longitude: 12.34 })
    assert.deepEqual(dates.date, {
      content_datetime: TAKEN,
      content_offset: 120,
      date_source: 'xmp',
      date_precision: null,
    })
  })

  it('keeps its own date before that of a service, which may tell the hour of a day', async () => {
    const own = await derive(exif('2019:07:06 12:00:00'), [takeout])
    assert.deepEqual([own.dates.date?.date_source, own.dates.late], ['exif', []])
    const day = await derive(exif('2019:07:07 00:00:00'), [takeout])
    assert.equal(day.dates.date?.date_source, 'exif')
    const month = await derive(exif('2019:07:00 00:00:00'), [takeout])
    assert.deepEqual(month.dates.date?.content_datetime, TAKEN)
    const unset = await derive(exif('1980:01:01 00:00:00'), [takeout])
    assert.deepEqual(unset.dates.date?.content_datetime, TAKEN)
  })

  it('takes the date of XMP before that of a service, and behind the same in the content', async () => {
    const beside = sidecar('xmp', xmpOf('DateTimeOriginal', '2011-01-01T01:00:00+01:00'))
    const both = await derive(plain, [beside, takeout])
    assert.equal(both.dates.date?.content_datetime, Date.UTC(2011, 0, 1))
    assert.deepEqual(both.description.position, { latitude: 45.44, longitude: 12.34 })
    const inside = xmpOf('DateTimeOriginal', '2012-01-01T01:00:00+01:00')
    const own = jpegWith(plain, [[0xe1, 'http://ns.adobe.com/xap/1.0/\0', inside]])
    const all = await derive(own, [beside, takeout])
    assert.equal(all.dates.date?.content_datetime, Date.UTC(2012, 0, 1))
  })
})
