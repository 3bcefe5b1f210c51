import { DAY, isoTime, MINUTE, zoneOffset } from '../../base/time.ts'
import type { GivenTime } from '../../http/fields.ts'
import {
  type FileDate,
  type Here,
  isUnset,
  type JudgedDates,
  judgeDates,
  type ReadDate,
} from '../../media/dates.ts'
import { dateInName } from './name-date.ts'

const NOON = DAY / 2

interface UploadDates {
  given?: GivenTime | undefined
  ofContent: JudgedDates
  name: string | null
  /** When the source was last changed, according to the uploader. */
  modified?: GivenTime | undefined
}

/** The date of a new file, and better ones that are still in the future. */
interface NewDate extends JudgedDates {
  date: FileDate
}

/** Returns the date of an upload. */
export function uploadDate({ given, ofContent, name, modified }: UploadDates, here: Here): NewDate {
  if (given) return { date: givenDate(given), late: [] }
  return withBeside(ofContent, name, modified ? modifiedDate(modified, here) : null, here)
}

/**
 * Returns the date of an import whose source was last changed at `modified`, in milliseconds. Without a name, only the
 * content and that time count.
 */
export function importDate(
  { ofContent, name, modified }: Pick<UploadDates, 'ofContent' | 'name'> & { modified: number },
  here: Here,
): NewDate {
  const dated = modifiedDate({ time: Math.trunc(modified), offset: null }, here)
  return withBeside(ofContent, name, dated, here)
}

function withBeside(
  { date, late }: JudgedDates,
  name: string | null,
  dated: ReadDate | null,
  here: Here,
): NewDate {
  if (date) return { date, late }
  const ofName = name === null ? null : namedDate(name, dated, here)
  const beside = judgeDates([...listed(ofName), ...listed(dated)], here)
  return { date: beside.date ?? arrival(here.now), late: [...late, ...beside.late] }
}

function givenDate({ time, offset }: GivenTime): FileDate {
  return { content_datetime: time, content_offset: offset, date_source: 'given' }
}

/**
 * Returns the new date of a file to which a person gives a time, or null if it is the same. The zone stays unless one
 * comes with the time.
 */
export function changedDate(before: FileDateColumns, { time, offset }: GivenTime): FileDate | null {
  const content_offset = offset ?? before.content_offset
  const isSame = time === before.content_datetime && content_offset === before.content_offset
  if (isSame) return null
  return { content_datetime: time, content_offset, date_source: 'given' }
}

/** A date as it is stored; its source is null for files from before sources were recorded. */
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

function listed(dated: ReadDate | null): ReadDate[] {
  return dated === null ? [] : [dated]
}

// People read times by their local clock.
function localDate(time: number, { timeZone }: Here) {
  const offset = zoneOffset(timeZone, time)
  return { clock: time + offset * MINUTE, offset }
}

// A disk stores instants.
function modifiedDate({ time, offset: given }: GivenTime, here: Here): ReadDate | null {
  // Disks may hold times that are beyond any calendar.
  if (Number.isNaN(new Date(time).getTime()) || isUnset(time)) return null
  if (given !== null) return { clock: time + given * MINUTE, offset: given, source: 'mtime' }
  return { ...localDate(time, here), source: 'mtime' }
}

/** A day alone takes the clock of the source's last change, if that was on the same day. */
function namedDate(name: string, modified: ReadDate | null, here: Here): ReadDate | null {
  const named = dateInName(name)
  if (!named) return null
  const { clock, hasTime, isUtc } = named
  if (isUtc) return { ...localDate(clock, here), source: 'name' }
  if (hasTime) return { clock, offset: null, source: 'name' }
  const isSameDay = modified && Math.floor(modified.clock / DAY) === Math.floor(clock / DAY)
  if (isSameDay) return { ...modified, source: 'name' }
  return { clock: clock + NOON, offset: null, source: 'name' }
}
