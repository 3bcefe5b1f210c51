import { DAY, MINUTE } from '../../base/time.ts'
import { type BySource, inOrder } from '../date-order.ts'
import { knownPart, type ReadDate } from '../dates.ts'
import { type DateText, milliseconds, parseOffset, readDateText } from './date-text.ts'

type Tags = Record<string, unknown>

/** A date, and how much of it is known. */
export type KnownDate = ReadDate & Pick<DateText, 'precision'>

const HOUR = 60
// In minutes; a clock and a GPS time that are further apart are not of one moment.
const MAX_DIFFERENCE = 15 * HOUR
// In minutes; all zones are multiples of this.
const ZONE_STEP = 15

/** Returns the dates of the EXIF tags and of what programs wrote, the best one first. */
export function exifDates(tags: Tags, ofPrograms: BySource<KnownDate>): ReadDate[] {
  const gps = gpsTime(tags)
  const clockOf = (date: string, fraction: string, offset: string): KnownDate[] => {
    const read = readDateText(tags[date])
    if (read === null) return []
    const { precision } = read
    if (precision !== null) return [{ clock: read.clock, offset: null, source: 'exif', precision }]
    const isWhole = read.clock % 1000 === 0
    const clock = read.clock + (isWhole ? milliseconds(tags[fraction]) : 0)
    const zone = parseOffset(tags[offset]) ?? read.offset ?? fromGps(clock, gps)
    return [{ clock, offset: zone, source: 'exif', precision }]
  }
  const dates = inOrder<KnownDate>({
    ...ofPrograms,
    'EXIF DateTimeOriginal': clockOf(
      'DateTimeOriginal',
      'SubSecTimeOriginal',
      'OffsetTimeOriginal',
    ),
    'EXIF DateTimeDigitized': clockOf(
      'DateTimeDigitized',
      'SubSecTimeDigitized',
      'OffsetTimeDigitized',
    ),
    'EXIF DateTime': clockOf('DateTime', 'SubSecTime', 'OffsetTime'),
    ...(gps !== null && {
      'GPS date and time': [{ clock: gps, offset: 0, source: 'gps', precision: null }],
    }),
  })
  return dates.map((date) => {
    const { precision, ...known } = wholeOf(date, dates)
    return precision === null ? known : { ...known, precision }
  })
}

/** Returns the first moment that lies in a date known in part, or else the date as it is. */
export function wholeOf(date: KnownDate, dates: KnownDate[]): KnownDate {
  const { precision } = date
  if (precision === null) return date
  const known = knownPart(date.clock, precision)
  const isWithin = (other: KnownDate) =>
    other.precision === null && knownPart(other.clock, precision) === known
  return dates.find(isWithin) ?? date
}

// GPS time is UTC.
function gpsTime({ GPSDateStamp: date, GPSTimeStamp: time }: Tags): number | null {
  const day = readDateText(date)
  if (day?.precision !== 'day' || !Array.isArray(time) || time.length !== 3) return null
  const [hours, minutes, seconds] = time as unknown[]
  if (!isBelow(hours, 25) || !isBelow(minutes, 60) || !isBelow(seconds, 61)) return null
  // Some write hours or minutes with a fraction, and Android's camera called the first hour of a day 24.
  const ofDay = ((hours % 24) * HOUR + minutes) * MINUTE + seconds * 1000
  return Math.floor(day.clock - DAY / 2 + ofDay)
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
