import { DAY, MINUTE } from '../../base/time.ts'
import type { ReadDate } from '../dates.ts'
import { milliseconds, parseOffset, readDateText } from './date-text.ts'

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
    const read = readDateText(tags[date])
    if (read === null) return []
    if (read.precision !== null) return [{ clock: read.clock, offset: null, source: 'exif' }]
    const clock = read.clock + milliseconds(tags[fraction])
    const zone = parseOffset(tags[offset]) ?? read.offset ?? fromGps(clock, gps)
    return [{ clock, offset: zone, source: 'exif' }]
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

// GPS time is UTC.
function gpsTime({ GPSDateStamp: date, GPSTimeStamp: time }: Tags): number | null {
  const day = readDateText(date)
  if (day?.precision !== 'day' || !Array.isArray(time) || time.length !== 3) return null
  const [hours, minutes, seconds] = time as unknown[]
  if (!isBelow(hours, 24) || !isBelow(minutes, 60) || !isBelow(seconds, 61)) return null
  return day.clock - DAY / 2 + (hours * HOUR + minutes) * MINUTE + Math.floor(seconds * 1000)
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
