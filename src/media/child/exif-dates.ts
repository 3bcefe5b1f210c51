import { MINUTE } from '../../base/time.ts'
import type { ReadDate } from '../dates.ts'

type Tags = Record<string, unknown>

/** The dates that programs wrote into a picture. */
export interface CaptionDates {
  /** From XMP's exif:DateTimeOriginal. */
  taken: ReadDate[]
  /** From XMP's photoshop:DateCreated, then from IPTC. */
  created: ReadDate[]
  /** From XMP's xmp:CreateDate. */
  digitized: ReadDate[]
}

const HOUR = 60
// In minutes; a clock and a GPS time that are further apart are not of one moment.
const MAX_DIFFERENCE = 15 * HOUR
// In minutes; all zones are multiples of this.
const ZONE_STEP = 15

/** Returns the dates of the EXIF tags and of what programs wrote, the best one first. */
export function exifDates(tags: Tags, { taken, created, digitized }: CaptionDates): ReadDate[] {
  const gps = gpsTime(tags)
  const clockOf = (date: string, fraction: string, offset: string): ReadDate[] => {
    const whole = parseClock(tags[date])
    if (whole === null) return []
    const clock = whole + milliseconds(tags[fraction])
    return [{ clock, offset: parseOffset(tags[offset]) ?? fromGps(clock, gps), source: 'exif' }]
  }
  return [
    ...clockOf('DateTimeOriginal', 'SubSecTimeOriginal', 'OffsetTimeOriginal'),
    ...taken,
    ...created,
    ...clockOf('DateTimeDigitized', 'SubSecTimeDigitized', 'OffsetTimeDigitized'),
    ...digitized,
    ...(gps === null ? [] : [{ clock: gps, offset: 0, source: 'gps' } as const]),
    ...clockOf('DateTime', 'SubSecTime', 'OffsetTime'),
  ]
}

/**
 * Returns what a clock shows by a text like `2024:05:06 07:08:09`, in milliseconds as if it were UTC, or null when that
 * is no time.
 */
export function parseClock(text: unknown): number | null {
  const match = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)/.exec(String(text))
  if (match === null) return null
  const [year, month, day, ...time] = match.slice(1)
  const local = `${year}-${month}-${day}T${time.join(':')}.000Z`
  const clock = Date.parse(local)
  // Date.parse accepts the year 0 and, on one runtime, a 30th of February.
  if (year === '0000' || Number.isNaN(clock) || new Date(clock).toISOString() !== local) return null
  return clock
}

/** Returns the minutes of an offset like `+02:00`, or null when it is none. */
export function parseOffset(text: unknown): number | null {
  if (text === 'Z') return 0
  const match = /^([+-])(\d\d):?([0-5]\d)$/.exec(String(text))
  if (match === null || Number(match[2]) > 14) return null
  const size = Number(match[2]) * HOUR + Number(match[3])
  return match[1] === '-' ? 0 - size : size
}

/** Returns the digits behind a second's point in milliseconds: 500 for `5`; 0 for none. */
export function milliseconds(fraction: unknown): number {
  const [digits] = /^\d+/.exec(String(fraction)) ?? []
  return digits === undefined ? 0 : Number(digits.slice(0, 3).padEnd(3, '0'))
}

// GPS time is UTC.
function gpsTime({ GPSDateStamp: date, GPSTimeStamp: time }: Tags): number | null {
  const day = parseClock(`${String(date).replace(/\D/g, ':')} 00:00:00`)
  if (day === null || !Array.isArray(time) || time.length !== 3) return null
  const [hours, minutes, seconds] = time as unknown[]
  if (!isBelow(hours, 24) || !isBelow(minutes, 60) || !isBelow(seconds, 61)) return null
  return day + (hours * HOUR + minutes) * MINUTE + Math.floor(seconds * 1000)
}

function isBelow(value: unknown, limit: number): value is number {
  return typeof value === 'number' && value >= 0 && value < limit
}

function fromGps(clock: number, gps: number | null): number | null {
  if (gps === null) return null
  const difference = (clock - gps) / MINUTE
  if (Math.abs(difference) >= MAX_DIFFERENCE) return null
  return Math.round(difference / ZONE_STEP) * ZONE_STEP || 0
}
