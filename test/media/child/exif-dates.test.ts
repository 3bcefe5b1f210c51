import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exifDates } from '../../../src/media/child/exif-dates.ts'

const clock = Date.UTC(2024, 4, 6, 7, 8, 9)
const exif = (offset: number | null, ms = 0) => ({ clock: clock + ms, offset, source: 'exif' })

const datesOf = (tags: Record<string, unknown>) => exifDates(tags, {})

describe('the dates of EXIF', () => {
  it('are those of taking, of scanning, of GPS and of the last change, in this order', () => {
    const dates = datesOf({
      DateTime: '2024:05:07 07:08:09',
      GPSDateStamp: '2019:01:02',
      GPSTimeStamp: [3, 4, 5.25],
      DateTimeDigitized: '2024:05:06 07:08:10',
      DateTimeOriginal: '2024:05:06 07:08:09',
    })
    assert.deepEqual(dates, [
      exif(null),
      exif(null, 1000),
      { clock: Date.UTC(2019, 0, 2, 3, 4, 5, 250), offset: 0, source: 'gps' },
      exif(null, 86_400_000),
    ])
  })

  it('have the fractions and the offset of the same name', () => {
    const tags = {
      DateTimeOriginal: '2024:05:06 07:08:09',
      SubSecTimeOriginal: '5',
      OffsetTimeOriginal: '-03:30',
      DateTimeDigitized: '2024:05:06 07:08:09',
      SubSecTimeDigitized: '123456',
      DateTime: '2024:05:06 07:08:09',
      SubSecTime: '04 ',
      OffsetTime: '+02:00',
    }
    assert.deepEqual(datesOf(tags), [exif(-210, 500), exif(null, 123), exif(120, 40)])
  })

  it('take the difference to GPS for their zone, in quarters of an hour', () => {
    const zoneAt = (GPSDateStamp: string, ...GPSTimeStamp: unknown[]) =>
      datesOf({ DateTimeOriginal: '2024:05:06 07:08:09', GPSDateStamp, GPSTimeStamp })[0]!.offset
    assert.equal(zoneAt('2024:05:06', 5, 8, 0), 120)
    assert.equal(zoneAt('2024:05:06', 1, 29, 31), 345)
    assert.equal(zoneAt('2024:05:06', 7, 6, 0), 0)
    assert.equal(zoneAt('2024:05:05', 17, 8, 9), 840)
    assert.equal(zoneAt('2024:05:06', 18, 8, 9), -660)
    assert.equal(zoneAt('2024:05:05', 16, 8, 9), null)
    assert.equal(zoneAt('2024:05:08', 5, 8, 9), null)
    assert.equal(zoneAt('2024:05:06', 24, 8, 9), 420)
    assert.equal(zoneAt('2024:05:06', 25, 8, 9), null)
    assert.equal(zoneAt('2024:05:06', 5, 8), null)
    assert.equal(zoneAt('    :  :  ', 5, 8, 9), null)
  })

  it('prefer the offset that they come with to that of GPS', () => {
    const [date] = datesOf({
      DateTimeOriginal: '2024:05:06 07:08:09',
      OffsetTimeOriginal: '+01:00',
      GPSDateStamp: '2024:05:06',
      GPSTimeStamp: [5, 8, 9],
    })
    assert.deepEqual(date, exif(60))
  })

  it('are a day, a month or a year where no more is known, which GPS gives no zone', () => {
    const GPS = { GPSDateStamp: '1987:07:05', GPSTimeStamp: [10, 0, 0] }
    const [date] = datesOf({ DateTimeOriginal: '1987:06:00 00:00:00', ...GPS })
    const clock = Date.UTC(1987, 5, 15, 12)
    assert.deepEqual(date, { clock, offset: null, source: 'exif', precision: 'month' })
  })

  it('are the moment within the day, month or year that another one tells', () => {
    const vague = '2024:05:00 00:00:00'
    const tags = { DateTimeOriginal: vague, DateTimeDigitized: '2024:05:06 07:08:09' }
    assert.deepEqual(datesOf(tags)[0], exif(null))
    // A scan of an old picture.
    const [date] = datesOf({ ...tags, DateTimeOriginal: '1987:06:00 00:00:00' })
    assert.equal(date!.clock, Date.UTC(1987, 5, 15, 12))
  })

  it('have the zone of their own text', () => {
    assert.deepEqual(datesOf({ DateTimeOriginal: '2024:05:06 07:08:09+02:00' }), [exif(120)])
    const twice = { DateTimeOriginal: '2024:05:06 07:08:09.5', SubSecTimeOriginal: '5' }
    assert.deepEqual(datesOf(twice), [exif(null, 500)])
  })
})
