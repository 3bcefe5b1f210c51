import type { DatePrecision, DateSource } from '../base/enums.ts'
import { DAY, isoTime, isPlausibleTime, MINUTE, momentOf, zoneOffset } from '../base/time.ts'

/** A date as a content, a name or a disk gives it. */
export interface ReadDate {
  /** What a clock showed, in milliseconds as if it were UTC. */
  clock: number
  /** By how many minutes that clock was ahead of UTC; null when nothing says. */
  offset: number | null
  source: DateSource
  /** How much of it is known; absent or null for a moment. `clock` is then the middle of what is known. */
  precision?: DatePrecision | null | undefined
}

/** When a file was taken, and the source of that. */
export interface FileDate {
  /** Milliseconds since 1970-01-01 UTC. */
  content_datetime: number
  /** Minutes; null when no zone is given. */
  content_offset: number | null
  date_source: DateSource
  /** How much of it is known; null for a moment. `content_datetime` is then the middle of what is known. */
  date_precision: DatePrecision | null
}

/** When and where a date is read. */
export interface Here {
  /** Milliseconds since 1970-01-01 UTC. */
  now: number
  /** An IANA name: the zone of clocks that come without one. */
  timeZone: string
}

const FIRST = Date.UTC(1826, 0, 1)
// Cameras whose clock was never set are in 1904 or in 1970.
const FIRST_OF_FILMS = Date.UTC(1971, 0, 2)
// What clocks show that were never set, and disks that store no time.
const UNSET = [Date.UTC(1970, 0, 1), Date.UTC(1980, 0, 1)]

/** Returns whether a clock, in milliseconds as if it were UTC, shows what it does before it is set. */
export function isUnset(clock: number): boolean {
  return UNSET.includes(clock)
}

/** What becomes of the dates of a file. */
export interface JudgedDates {
  /** The first plausible date, or null when there is none. */
  date: FileDate | null
  /** The dates before it that are still in the future: perhaps the server's clock is wrong. */
  late: ReadDate[]
}

/** Judges dates that are given with the best first. */
export function judgeDates(dates: ReadDate[], here: Here): JudgedDates {
  const late: ReadDate[] = []
  for (const one of dates) {
    const date = dateOf(one, here)
    if (date) return { date, late }
    if (dateOf(one, { ...here, now: Number.POSITIVE_INFINITY })) late.push(one)
  }
  return { date: null, late }
}

/**
 * Returns dates with the moment that a service gives, in milliseconds since 1970 UTC, behind them: nobody knows its
 * clock, so it is that of the server's zone. Of a date known in part in which it lies, it takes the place.
 */
export function withMoment(dates: ReadDate[], moment: number, { timeZone }: Here): ReadDate[] {
  const offset = zoneOffset(timeZone, moment)
  const date: ReadDate = { clock: moment + offset * MINUTE, offset, source: 'xmp' }
  const isAround = ({ clock, precision }: ReadDate) =>
    precision && knownPart(clock, precision) === knownPart(date.clock, precision)
  return [...dates.map((one) => (isAround(one) ? date : one)), date]
}

/** Returns the first plausible date, or null when there is none. */
export function firstDate(dates: ReadDate[], here: Here): FileDate | null {
  return judgeDates(dates, here).date
}

function dateOf(date: ReadDate, { now, timeZone }: Here): FileDate | null {
  const { clock, offset, source, precision = null } = date
  const isLate = source === 'video' || source === 'gps'
  if (!(clock >= (isLate ? FIRST_OF_FILMS : FIRST)) || isUnset(clock)) return null
  // The middle of this year may be in the future.
  const ahead = precision === null ? 0 : clock - startOf(clock, precision)
  // No zone is further from UTC than a day.
  if (clock - ahead > now + 3 * DAY) return null
  const content_datetime = offset === null ? momentOf(timeZone, clock) : clock - offset * MINUTE
  if (content_datetime - ahead > now + 2 * DAY || !isPlausibleTime(content_datetime)) return null
  const content_offset = offset ?? zoneOffset(timeZone, content_datetime)
  return { content_datetime, content_offset, date_source: source, date_precision: precision }
}

// How many characters of an ISO date are known.
const KNOWN: Record<DatePrecision, number> = { day: 10, month: 7, year: 4 }

/** Returns what a clock, in milliseconds as if it were UTC, shows of a date known in part: `1987-06`. */
export function knownPart(clock: number, precision: DatePrecision): string {
  return isoTime(clock).slice(0, KNOWN[precision])
}

function startOf(clock: number, precision: DatePrecision): number {
  return Date.parse(knownPart(clock, precision))
}

const MIDDLE: Record<DatePrecision, string> = {
  day: 'T12:00Z',
  month: '-15T12:00Z',
  year: '-07-02T12:00Z',
}

/** Returns the middle of the day, month or year in which a clock is, both in milliseconds as if it were UTC. */
export function middleOf(clock: number, precision: DatePrecision): number {
  return Date.parse(knownPart(clock, precision) + MIDDLE[precision])
}
