import { computed } from '@preact/signals'
import { locale } from './text.ts'

const AT = { hour: '2-digit', minute: '2-digit' } as const
const LONG = { day: 'numeric', month: 'long', year: 'numeric' } as const

/** Formats when something happened, by the clock of this device: `today, 18:02`, else with the date. */
export function when(iso: string, now = new Date()): string {
  const time = new Date(iso)
  const daysAgo = [0, -1].find((days) => {
    const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
    return day.toDateString() === time.toDateString()
  })
  if (daysAgo !== undefined) {
    return `${relative.value.format(daysAgo, 'day')}, ${timeOfDay.value.format(time)}`
  }
  return dated.value.format(time)
}

const format = (options: Intl.DateTimeFormatOptions) =>
  computed(() => new Intl.DateTimeFormat(locale.value, { ...AT, ...options }))
const relative = computed(() => new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto' }))
const timeOfDay = format({})
const dated = format(LONG)

/** Formats a number in the page's language: `196,014`. */
export function number(value: number): string {
  return numbers.value.format(value)
}

/** Formats a size in bytes: `1.9 GB`. */
export function bytes(value: number): string {
  const power = value < 1000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), 4)
  const scaled = value / 1000 ** power
  return sizes.value[power]!.format(scaled >= 100 ? Math.round(scaled) : scaled)
}

/** Formats the length of a video in seconds: `0:24`, `1:02:03`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  if (parts[0] === 0) parts.shift()
  return parts.map((part, place) => (place === 0 ? part : String(part).padStart(2, '0'))).join(':')
}

// The times of cells are seconds of the local clock, read as if they were UTC.

/** Formats a day, by seconds of the local clock: `Saturday, 14 July 2018`. */
export function day(seconds: number): string {
  return days.value.format(seconds * 1000)
}

/** Formats a day without its weekday, by seconds of the local clock: `14 July 2018`. */
export function date(seconds: number): string {
  return datesOnly.value.format(seconds * 1000)
}

/** Formats the days from one to another, by seconds of the local clock: `6–13 February 2021`. */
export function span(from: number, to: number): string {
  const words = datesOnly.value.formatRange(from * 1000, to * 1000)
  // Browsers differ in whether two days of a month have spaces between them.
  return words.replace(/^(\d+\.?)\s–\s(?=\d)/, '$1–')
}

/** Formats a month, by seconds of the local clock: `July 2018`. */
export function month(seconds: number): string {
  return months.value.format(seconds * 1000)
}

/** Formats the day and the time of day, by seconds of the local clock: `14 July 2018, 16:03`. */
export function moment(seconds: number): string {
  return moments.value.format(seconds * 1000)
}

/** How much is known of a date; null for a moment. */
export type Precision = 'day' | 'month' | 'year' | null

/** Formats what is known of a date: `1987`, `July 2018`, `14 July 2018`, or as `moment`. */
export function known(seconds: number, precision: Precision): string {
  return PARTS[precision ?? 'moment'].value.format(seconds * 1000)
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

// Each is created when it is first needed, because that is slow and would delay the first pictures.
const numbers = computed(() => new Intl.NumberFormat(locale.value))
const sizes = computed(() =>
  UNITS.map(
    (unit, power) =>
      new Intl.NumberFormat(locale.value, {
        style: 'unit',
        unit,
        unitDisplay: power === 0 ? 'long' : 'short',
        maximumFractionDigits: power < 2 ? 0 : 1,
      }),
  ),
)
const dates = (options: Intl.DateTimeFormatOptions) =>
  computed(() => new Intl.DateTimeFormat(locale.value, { ...options, timeZone: 'UTC' }))
const days = dates({ weekday: 'long', ...LONG })
const datesOnly = dates(LONG)
const months = dates({ month: 'long', year: 'numeric' })
const moments = dates({ ...LONG, ...AT })
const PARTS = { day: datesOnly, month: months, year: dates({ year: 'numeric' }), moment: moments }
