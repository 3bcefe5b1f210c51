import { DAY, MINUTE } from '../../base/time.ts'

/** What a text says of a moment. */
export interface DateText {
  /** What a clock showed, in milliseconds as if it were UTC; the middle of a day, month or year known alone. */
  clock: number
  /** By how many minutes that clock was ahead of UTC; null when the text doesn't say. */
  offset: number | null
  /** How much of the date is known; null for a moment. */
  precision: 'day' | 'month' | 'year' | null
}

interface Fields {
  year: string
  month?: string | undefined
  day?: string | undefined
  hour?: string | undefined
  minute?: string | undefined
  second?: string | undefined
  fraction?: string | undefined
  half?: string | undefined
  zone?: string | undefined
}

const HOUR = 60
// Of a text, with the blanks around it.
const LONGEST = 100
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const ZONE = String.raw` ?(?<zone>Z|UTC?|GMT|[+-]\d\d(?::?\d\d)?)?`

/**
 * The shapes of dates in EXIF (2.32, 4.6.5), XMP (part 1, 8.2.1.2), IPTC (IIM 4.2, 2:55 and 2:60), and the RIFF and
 * QuickTime tags of cameras, which ExifTool's tables list.
 */
const SHAPES = [
  // `2024-05-06T07:08:09.5+02:00` and whatever begins like it, `2005/11/28/ 09:19`, `2001/ 1/27  1:42PM`
  new RegExp(
    String.raw`^(?<year>\d{4})(?:[:\-/. ] ?(?<month>\d\d?)(?:[:\-/. ] ?(?<day>\d\d?)` +
      String.raw`(?:[T:\-/. ] ?(?<hour>\d\d?)(?<apart>[:.\- ]) ?(?<minute>\d\d?)(?:\k<apart> ?(?<second>\d\d?)(?:[.,](?<fraction>\d+))?)?` +
      // An hour without minutes says no more than the day.
      String.raw` ?(?<half>[AP]M)?${ZONE}|[T ] ?(?:[01]?\d|2[0-3]))?)?)?$`,
    'i',
  ),
  // `20240506` and `20240506T070809+0200`
  new RegExp(
    String.raw`^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?:[T ]?(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)?${ZONE})?$`,
    'i',
  ),
  // What EXIF asks for, whatever comes behind it
  /^(?<year>\d{4})[:\-/.](?<month>\d\d)[:\-/.](?<day>\d\d)[ T](?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?!\d)/,
  // `Mon, 10 Mar 2003 15:04:43 GMT` (RFC 1123, 5.2.14), `10 Mar 2003 3:04:43 PM CET`
  new RegExp(
    String.raw`^(?:[A-Z]{3},? )?(?<day>\d\d?) (?<month>${MONTHS.join('|')})[a-z]* (?<year>\d{4})` +
      String.raw`(?: (?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d))?(?: ?(?<half>[AP]M))?(?:${ZONE}| [A-Z]{1,5}))?$`,
    'i',
  ),
  // `Mon Mar 10 15:04:43 2003`
  new RegExp(
    String.raw`^[A-Z]{3} (?<month>${MONTHS.join('|')}) (?<day>\d\d?) (?<hour>\d\d?):(?<minute>\d\d):(?<second>\d\d) (?<year>\d{4})${ZONE}$`,
    'i',
  ),
]

/** Returns what a text says of a moment, or null when it is none. Of a date known in part it is the middle. */
export function readDateText(text: unknown): DateText | null {
  // Fields that aren't known are blank; the last ones say no more than if they weren't there.
  const given = String(text)
    .slice(0, LONGEST)
    .replace(/^[\0\s]+/, '')
    .replace(/(?:[\0].*|[\s:])+$/s, '')
    .replaceAll(/ +/g, ' ')
  for (const shape of SHAPES) {
    const fields = shape.exec(given)?.groups
    if (fields) return dateOf(fields as unknown as Fields)
  }
  return null
}

function dateOf({
  hour,
  minute,
  second,
  fraction,
  half,
  zone,
  ...fields
}: Fields): DateText | null {
  const { year } = fields
  const month = monthOf(fields.month)
  const day = Number(fields.day ?? 0)
  if (month === 0) return middleOf(`${year}-07-02`, 'year')
  const start = `${year}-${two(month)}`
  if (day === 0) return middleOf(`${start}-15`, 'month')
  const midnight = dayOf(`${start}-${two(day)}`)
  if (midnight === null) return null
  if (hour === undefined) return { clock: midnight + DAY / 2, offset: null, precision: 'day' }
  // Android's camera called the first hour of a day 24.
  const ofDay = hour === '24' ? 0 : Number(hour)
  const hours = half ? (ofDay % 12) + (/p/i.test(half) ? 12 : 0) : ofDay
  const [minutes, seconds] = [Number(minute), Number(second ?? 0)]
  // A leap second is the next one.
  if (hours > 23 || minutes > 59 || seconds > 60) return null
  const clock =
    midnight + (hours * HOUR + minutes) * MINUTE + seconds * 1000 + milliseconds(fraction)
  return {
    clock,
    offset: parseOffset(zone?.toUpperCase().replace(/^(UTC?|GMT)$/, 'Z')),
    precision: null,
  }
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

// Returns 0 for none.
function monthOf(text = ''): number {
  return /^[a-z]/i.test(text) ? MONTHS.indexOf(text.toLowerCase()) + 1 : Number(text)
}

function middleOf(day: string, precision: 'year' | 'month'): DateText | null {
  const midnight = dayOf(day)
  return midnight === null ? null : { clock: midnight + DAY / 2, offset: null, precision }
}

function dayOf(day: string): number | null {
  const midnight = Date.parse(`${day}T00:00:00.000Z`)
  // Date.parse accepts the year 0 and, on one runtime, a 30th of February.
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
  return isDay && !day.startsWith('0000') ? midnight : null
}

/** Returns the minutes of an offset like `+02:00`, or null when it is none. */
export function parseOffset(text: unknown): number | null {
  if (text === 'Z') return 0
  const match = /^([+-])(\d\d)(?::?([0-5]\d))?$/.exec(String(text))
  if (match === null || Number(match[2]) > 14) return null
  const size = Number(match[2]) * HOUR + Number(match[3] ?? 0)
  return match[1] === '-' ? 0 - size : size
}

/** Returns the digits behind a second's point in milliseconds: 500 for `5`; 0 for none. */
export function milliseconds(fraction: unknown): number {
  const [digits] = /^\d+/.exec(String(fraction)) ?? []
  return digits === undefined ? 0 : Number(digits.slice(0, 3).padEnd(3, '0'))
}
