import { DAY, isoTime, MINUTE, zoneOffset } from '../../base/time.ts'
import type { GivenTime } from '../../http/fields.ts'
import {
  type FileDate,
  type Here,
  isUnset,
  type JudgedDates,
  judgeDates,
  type ToldDate,
} from '../../media/dates.ts'
import { dateInName } from './name-date.ts'

const NOON = DAY / 2

/** What may tell the date of an upload, from the best to the last. */
interface UploadDates {
  given?: GivenTime | undefined
  ofContent: JudgedDates
  name: string | null
  /** When the source was last changed, as the uploader says. */
  modified?: GivenTime | undefined
}

/** The date of a new file, and those that would be better, were they not to come. */
interface NewDate extends JudgedDates {
  date: FileDate
}

/** Returns the date of an upload. */
export function uploadDate({ given, ofContent, name, modified }: UploadDates, here: Here): NewDate {
  if (given) return { date: givenDate(given), late: [] }
  return withBeside(ofContent, name, modified ? modifiedDate(modified, here) : null, here)
}

/**
 * Returns the date of an import, whose source was changed at a time in milliseconds; without a name, that may tell
 * none.
 */
export function importDate(
  { ofContent, name, modified }: Pick<UploadDates, 'ofContent' | 'name'> & { modified: number },
  here: Here,
): NewDate {
  const told = modifiedDate({ time: Math.trunc(modified), offset: null }, here)
  return withBeside(ofContent, name, told, here)
}

/** Returns the date of a content, or one of what is told beside it. */
function withBeside(
  { date, late }: JudgedDates,
  name: string | null,
  told: ToldDate | null,
  here: Here,
): NewDate {
  if (date) return { date, late }
  const ofName = name === null ? null : namedDate(name, told)
  const beside = judgeDates([...listed(ofName), ...listed(told)], here)
  return { date: beside.date ?? arrival(here.now), late: [...late, ...beside.late] }
}

/** Returns the date that a person gives to a new file. */
function givenDate({ time, offset }: GivenTime): FileDate {
  return { content_datetime: time, content_offset: offset, date_source: 'given' }
}

/**
 * Returns the date of a file to which a person gives another time, or null for the time that it has: it
 * keeps its zone unless one comes with the time.
 */
export function changedDate(before: FileDateColumns, { time, offset }: GivenTime): FileDate | null {
  const content_offset = offset ?? before.content_offset
  const isSame = time === before.content_datetime && content_offset === before.content_offset
  if (isSame) return null
  return { content_datetime: time, content_offset, date_source: 'given' }
}

/** A date as it is stored; nobody knows the source of one from before sources were kept. */
export interface FileDateColumns extends Omit<FileDate, 'date_source'> {
  date_source: FileDate['date_source'] | null
}

/** Returns a date as the API shows it. */
export function shownDate({ content_datetime, content_offset, date_source }: FileDateColumns) {
  return { content_datetime: isoTime(content_datetime), content_offset, date_source }
}

function arrival(now: number): FileDate {
  return { content_datetime: now, content_offset: null, date_source: 'upload' }
}

function listed(told: ToldDate | null): ToldDate[] {
  return told === null ? [] : [told]
}

/** A disk keeps moments, which the people of a place read by their clock. */
function modifiedDate({ time, offset: given }: GivenTime, { timeZone }: Here): ToldDate | null {
  // Disks may hold times that are beyond any calendar.
  if (Number.isNaN(new Date(time).getTime()) || isUnset(time)) return null
  const offset = given ?? zoneOffset(timeZone, time)
  return { clock: time + offset * MINUTE, offset, source: 'mtime' }
}

/** A day alone takes the clock of the source's last change, if that was on the same day. */
function namedDate(name: string, modified: ToldDate | null): ToldDate | null {
  const named = dateInName(name)
  if (!named) return null
  const { clock, hasTime } = named
  if (hasTime) return { clock, offset: null, source: 'name' }
  const isSameDay = modified && Math.floor(modified.clock / DAY) === Math.floor(clock / DAY)
  if (isSameDay) return { ...modified, source: 'name' }
  return { clock: clock + NOON, offset: null, source: 'name' }
}
