import { computed } from '@preact/signals'
import { day as dayName } from '../base/format.ts'
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

const ranges = computed(
  () =>
    new Intl.DateTimeFormat(locale.value, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }),
)

/** Returns the name of the days from one to another, in any order: `12–14 July 2018`. */
export function nameOfDays(one: number, other: number): string {
  if (one === other) return dayName(secondsOf(one))
  const [from, to] = [one, other].sort((a, b) => a - b).map((day) => secondsOf(day) * 1000)
  return ranges.value.formatRange(from!, to!)
}
