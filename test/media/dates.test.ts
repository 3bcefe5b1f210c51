import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DatePrecision, DateSource } from '../../src/base/enums.ts'
import { firstDate, type ReadDate } from '../../src/media/dates.ts'

const HOUR = 3_600_000
const here = { now: Date.UTC(2026, 0, 2, 3, 4, 5), timeZone: 'Europe/Rome' }
const told = (clock: string, offset: number | null = null, source: DateSource = 'exif') => ({
  clock: Date.parse(`${clock}Z`),
  offset,
  source,
})
const dateOf = (...dates: ReadDate[]) => {
  const date = firstDate(dates, here)
  return date && [new Date(date.content_datetime).toISOString(), date.content_offset]
}

describe('a date', () => {
  it('is in the zone that it names, else in that of the library', () => {
    assert.deepEqual(dateOf(told('2024-05-06T07:08:09', -210)), ['2024-05-06T10:38:09.000Z', -210])
    assert.deepEqual(dateOf(told('2024-05-06T07:08:09')), ['2024-05-06T05:08:09.000Z', 120])
    assert.deepEqual(dateOf(told('2024-01-06T07:08:09')), ['2024-01-06T06:08:09.000Z', 60])
    // Rome had a time of its own, 49 minutes and 56 seconds before Greenwich.
    assert.deepEqual(dateOf(told('1850-05-06T07:08:09')), ['1850-05-06T06:18:09.000Z', 50])
  })

  it('is read by the clock of that day where summer time begins and ends', () => {
    assert.deepEqual(dateOf(told('2024-03-31T01:30:00')), ['2024-03-31T00:30:00.000Z', 60])
    assert.deepEqual(dateOf(told('2024-03-31T03:30:00')), ['2024-03-31T01:30:00.000Z', 120])
    // The clock never showed this.
    assert.deepEqual(dateOf(told('2024-03-31T02:30:00')), ['2024-03-31T01:30:00.000Z', 120])
    // It showed this twice.
    assert.deepEqual(dateOf(told('2024-10-27T02:30:00')), ['2024-10-27T00:30:00.000Z', 120])
    assert.deepEqual(dateOf(told('2024-10-27T03:30:00')), ['2024-10-27T02:30:00.000Z', 60])
  })

  it('is none that a clock shows which was never set', () => {
    for (const clock of ['1970-01-01T00:00:00', '1980-01-01T00:00:00', '1825-12-31T23:59:59']) {
      assert.equal(dateOf(told(clock, 0)), null, clock)
    }
    assert.deepEqual(dateOf(told('1826-01-01T00:00:00', 0)), ['1826-01-01T00:00:00.000Z', 0])
    assert.deepEqual(dateOf(told('1980-01-01T00:00:01', 0)), ['1980-01-01T00:00:01.000Z', 0])
    for (const source of ['video', 'gps'] as const) {
      assert.equal(dateOf(told('1971-01-01T23:59:59', 0, source)), null)
      assert.ok(dateOf(told('1971-01-02T00:00:00', 0, source)))
    }
    assert.ok(dateOf(told('1904-01-01T00:00:00', 0)))
  })

  it('is none that is later than two days from now', () => {
    const at = (ms: number) => dateOf({ clock: here.now + ms, offset: 0, source: 'exif' })
    assert.ok(at(48 * HOUR))
    assert.equal(at(48 * HOUR + 1), null)
    assert.ok(dateOf({ clock: here.now + 60 * HOUR, offset: 14 * 60, source: 'exif' }))
    assert.equal(dateOf(told('9999-12-31T23:59:59')), null)
    assert.equal(dateOf({ clock: Number.NaN, offset: 0, source: 'video' }), null)
  })

  it('may be in a year, a month or a day that is not over', () => {
    const within = (clock: string, precision: DatePrecision) =>
      dateOf({ ...told(clock), precision })
    assert.deepEqual(within('2026-07-02T12:00:00', 'year'), ['2026-07-02T10:00:00.000Z', 120])
    assert.deepEqual(within('2026-01-15T12:00:00', 'month'), ['2026-01-15T11:00:00.000Z', 60])
    assert.deepEqual(within('2026-01-04T12:00:00', 'day'), ['2026-01-04T11:00:00.000Z', 60])
    assert.equal(within('2027-07-02T12:00:00', 'year'), null)
    assert.equal(within('2026-02-15T12:00:00', 'month'), null)
    assert.equal(within('2026-01-05T12:00:00', 'day'), null)
  })

  it('is the first one that can be', () => {
    const dates = [told('1970-01-01T00:00:00'), told('2024-05-06T07:08:09', 0, 'gps')]
    assert.deepEqual(firstDate([...dates, told('2025-05-06T07:08:09')], here), {
      content_datetime: Date.UTC(2024, 4, 6, 7, 8, 9),
      content_offset: 0,
      date_source: 'gps',
      date_precision: null,
    })
    assert.equal(firstDate([], here), null)
  })
})
