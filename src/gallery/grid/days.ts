import { day as dayName, known, span } from '../base/format.ts'
import { partOf } from '../base/listing.ts'

const DAY = 86_400

// What the time of a year known alone has beyond whole seconds, and its day beyond whole days; a month has half of it.
const YEAR = 1 / 2

/** Returns the time of a cell, with what its flags say to be known of it: a month or a year alone is a day of its own. */
export function timeIn(seconds: number, flags: number): number {
  return seconds + Math.max(0, partOf(flags) - 1) * (YEAR / 2)
}

/** Returns the number of the day of a local time in seconds, counted from 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY) + time - Math.floor(time)
}

/** Returns the local time in seconds at which a day begins. */
export function secondsOf(day: number): number {
  return day * DAY
}

/** Returns the month of a day as the timeline writes it: 2018-07, or a year alone. */
export function monthKey(day: number): string {
  return new Date(day * DAY * 1000).toISOString().slice(0, day - Math.floor(day) === YEAR ? 4 : 7)
}

/** Returns the local time in seconds at which a month such as 2018-07, or a year, begins. */
export function secondsOfMonth(key: string): number {
  return Date.parse(key) / 1000
}

/** Returns the name of a month such as 2018-07, or of a year. */
export function nameOfMonth(key: string): string {
  return known(secondsOfMonth(key), key.length > 4 ? 'month' : 'year')
}

/** Returns the name of the days from one to another, in any order: `12–14 July 2018`. */
export function nameOfDays(one: number, other: number): string {
  if (one % 1) return nameOfMonth(monthKey(one))
  if (one === other) return dayName(secondsOf(one))
  return span(secondsOf(Math.min(one, other)), secondsOf(Math.max(one, other)))
}
