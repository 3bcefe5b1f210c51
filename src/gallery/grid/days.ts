import { computed } from '@preact/signals'
import { locale } from '../base/text.ts'

const DAY = 86_400

/** Returns the number of the day of a local time in seconds, counted from 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY)
}

/** Returns the local time in seconds at which a day begins. */
export function secondsOf(day: number): number {
  return day * DAY
}

/** Returns the month of a day as the timeline writes it: 2018-07. */
export function monthKey(day: number): string {
  return new Date(day * DAY * 1000).toISOString().slice(0, 7)
}

/** Returns the local time in seconds at which a month such as 2018-07 begins. */
export function secondsOfMonth(key: string): number {
  return Date.parse(`${key}-01T00:00:00Z`) / 1000
}

export function isSameMonth(a: number, b: number): boolean {
  return monthKey(a) === monthKey(b)
}

const long = computed(
  () =>
    new Intl.DateTimeFormat(locale.value, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }),
)

/** Returns the name of a day without its year: `Friday, 13 July`. */
export function shortDay(day: number): string {
  const parts = long.value.formatToParts(day * DAY * 1000)
  const year = parts.findIndex(({ type }) => type === 'year')
  return parts
    .filter((_, index) => index !== year && index !== year - 1)
    .map(({ value }) => value)
    .join('')
}
