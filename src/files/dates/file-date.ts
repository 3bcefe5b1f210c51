import { DATE_PRECISIONS, type DatePrecision } from '../../base/enums.ts'
import { DAY, isoTime, MINUTE, zoneOffset } from '../../base/time.ts'
import type { GivenTime } from '../../http/fields.ts'
import { inOrder } from '../../media/date-order.ts'
import {
  type FileDate,
  firstDate,
  type Here,
  isUnset,
  type JudgedDates,
  judgeDates,
  knownPart,
  middleOf,
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

/**
 * Judges again the dates that were late when a file came, which are given with the best first. The first one that is
 * plausible now leaves more to the name of the file and the disk, as it would have at first.
 */
export function lateDate(late: ReadDate[], name: string | null, here: Here): JudgedDates {
  const judged = judgeDates(late, here)
  if (judged.date === null) return judged
  return withBeside(judged, name, late.find(({ source }) => source === 'mtime') ?? null, here)
}

// Of a date known in part, the content may leave more to the name and the disk.
function withBeside(
  { date, late }: JudgedDates,
  name: string | null,
  dated: ReadDate | null,
  here: Here,
): NewDate {
  if (date?.date_precision === null) return { date, late }
  const ofName = name === null ? null : namedDate(name, dated, here)
  const dates = inOrder({
    'the name': listed(ofName),
    'the last change of the source': listed(dated),
  })
  if (date) {
    const within = dates.map((one) => firstDate([one], here))
    return { date: within.find((one) => one !== null && isFiner(one, date)) ?? date, late }
  }
  const beside = judgeDates(dates, here)
  return { date: beside.date ?? arrival(here.now), late: [...late, ...beside.late] }
}

function givenDate({ time, offset }: GivenTime): FileDate {
  return {
    content_datetime: time,
    content_offset: offset,
    date_source: 'given',
    date_precision: null,
  }
}

/**
 * Returns the new date of a file to which a person gives a time, or null if it is the same. The zone stays unless one
 * comes with the time. Of a date known in part it is the middle, by the clock of that zone. Another time without a
 * precision is a moment.
 */
export function changedDate(
  before: FileDateColumns,
  { time, offset }: GivenTime,
  precision: DatePrecision | null | undefined,
): FileDate | null {
  const content_offset = offset ?? before.content_offset
  const ahead = (content_offset ?? 0) * MINUTE
  const content_datetime = precision ? middleOf(time + ahead, precision) - ahead : time
  const date = { ...before, content_datetime, content_offset }
  // A client that doesn't know of precisions may send the whole file back.
  if (precision === undefined && isSameDate(date, before)) return null
  const given = { ...dateOf(date), date_precision: precision ?? null }
  return isSameDate(given, before) ? null : { ...given, date_source: 'given' }
}

/** Returns whether two dates are the same, whatever their sources. */
export function isSameDate(one: FileDateColumns, other: FileDateColumns): boolean {
  return (
    one.content_datetime === other.content_datetime &&
    one.content_offset === other.content_offset &&
    one.date_precision === other.date_precision
  )
}

/** The sources of dates that no content tells. */
export const BESIDE = ['upload', 'name', 'mtime'] as const satisfies FileDate['date_source'][]

/** Returns whether a source of a date lies beside the content. */
export function isBeside(source: FileDateColumns['date_source']): boolean {
  return (BESIDE as readonly (typeof source)[]).includes(source)
}

/** A date as it is stored; its source is null for files from before sources were recorded. */
export interface FileDateColumns extends Omit<FileDate, 'date_source'> {
  date_source: FileDate['date_source'] | null
}

/** Returns the date of a file: what a change of it carries together. */
export function dateOf(file: FileDateColumns): FileDateColumns {
  const { content_datetime, content_offset, date_source, date_precision } = file
  return { content_datetime, content_offset, date_source, date_precision }
}

/** Returns what is known of the local day of a date: `1987-06-05`, or less for a date known in part. */
export function knownDay(date: Omit<FileDateColumns, 'date_source'>): string {
  const clock = date.content_datetime + (date.content_offset ?? 0) * MINUTE
  return knownPart(clock, date.date_precision ?? 'day')
}

const UNKNOWN = [null, ...DATE_PRECISIONS]

/** Returns how much of a date is unknown, as a number: 0 for a moment. */
export function unknownOf({ date_precision }: Pick<FileDateColumns, 'date_precision'>): number {
  return UNKNOWN.indexOf(date_precision)
}

/** Returns whether a date lies within one that is known in part, and says more. */
export function isFiner(date: FileDateColumns, part: FileDateColumns): boolean {
  return unknownOf(date) < unknownOf(part) && knownDay(date).startsWith(knownDay(part))
}

/** Returns a date as the API shows it. */
export function shownDate(file: FileDateColumns) {
  return { ...dateOf(file), content_datetime: isoTime(file.content_datetime) }
}

function arrival(now: number): FileDate {
  return {
    content_datetime: now,
    content_offset: null,
    date_source: 'upload',
    date_precision: null,
  }
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
  return { clock: clock + NOON, offset: null, source: 'name', precision: 'day' }
}
