import { changesBetween } from '../../audit/changes.ts'
import { listDateChanges } from '../../audit/queries.ts'
import { audit, SYSTEM } from '../../audit/record.ts'
import { tookBack } from '../../audit/undo-queries.ts'
import { isoTime, MINUTE } from '../../base/time.ts'
import type { Db } from '../../db/client.ts'
import { idTime } from '../../db/ids.ts'
import type { Tx } from '../../db/write.ts'
import { type FileDate, type Here, judgeDates, type ReadDate } from '../../media/dates.ts'
import type { Facts } from '../../media/decoder/facts.ts'
import { dateOf, type FileDateColumns, isBeside, shownDate, uploadDate } from './file-date.ts'
import { setFileDate } from './file-date-queries.ts'
import { type OldFile, setMissingExif } from './old-date-queries.ts'

interface Verdict {
  /** `source`: only the source is found; `mended`: the date was a stand-in; `left`: the source can't be determined. */
  what: 'source' | 'mended' | 'left'
  date: FileDateColumns
}

/** `facts` is what the content says now, null when that can't be read. */
function judgeDate(db: Db, file: OldFile, facts: Facts | null, here: Here): Verdict {
  const created_at = idTime(file.id)
  const isOfUpload = Math.abs(file.content_datetime - created_at) <= MINUTE
  const found = facts && readAgain(file, facts.dates, { here, hasClock: isOfUpload })
  const left: Verdict = { what: 'left', date: dateOf(file) }
  const isFrom = (
    date_source: FileDate['date_source'],
    { content_offset, date_precision }: Pick<FileDate, 'content_offset' | 'date_precision'> = file,
  ): Verdict => {
    const date = { ...dateOf(file), content_offset, date_source, date_precision }
    return { what: 'source', date }
  }
  const changed = changedBy(db, file)
  if (changed === 'a person') return isFrom('given')
  // A date that was mended and taken back stays as it is.
  if (changed === 'the server' || !facts) return left
  if (found && isSameTime(file, found.content_datetime)) {
    return isFrom(found.date_source, found)
  }
  if (!isOfUpload) return left
  // A content that came later says nothing about the one that the date belongs to.
  if (!found || file.stored_at > created_at) return isFrom('upload')
  return { what: 'mended', date: found }
}

/**
 * Returns a date that replaces one beside the content: what the content says by now, or the name where names count.
 * Null for none, and when somebody has taken back such a date.
 */
function betterDate(db: Db, file: OldFile, facts: Facts, here: Here): FileDate | null {
  if (!isBeside(file.date_source) || file.stored_at > idTime(file.id)) return null
  // An import that was not asked for dates in names has taken the time on the disk instead.
  const original_name = file.date_source === 'mtime' ? null : file.original_name
  const named = { ...file, original_name }
  const found = readAgain(named, facts.dates, { here, hasClock: true })
  if (found === null || isSameDate(file, found)) return null
  const changes = listDateChanges(db, file.id)
  const isOfServer = ({ user_id }: { user_id: number }) => user_id === SYSTEM.id
  const wasTakenBack = changes.some(isOfServer) && !isOfServer(changes.at(-1)!)
  return wasTakenBack ? null : found
}

// A clock in a name stays in the zone in which it was read, and another source beside the content is no other date.
function isSameDate(file: OldFile, found: FileDate): boolean {
  const clockOf = ({ content_datetime, content_offset }: FileDateColumns) =>
    content_datetime + (content_offset ?? 0) * MINUTE
  const isSame =
    found.content_datetime === file.content_datetime || clockOf(found) === clockOf(file)
  const areBeside = isBeside(found.date_source) && isBeside(file.date_source)
  return isSame && (areBeside || found.date_source === file.date_source)
}

/**
 * Settles the date of a file whose source was not recorded or lies beside its content, and writes its EXIF if it has
 * none. A mended date gets an audit entry.
 */
export function settleDate(tx: Tx, file: OldFile, facts: Facts | null, here: Here): void {
  if (facts) setMissingExif(tx, file.rid, facts.exif)
  if (file.date_source !== null) {
    const better = facts && betterDate(tx, file, facts, here)
    if (better) mend(tx, file, better)
    return
  }
  const { what, date } = judgeDate(tx, file, facts, here)
  if (what === 'mended') mend(tx, file, date)
  else if (what === 'source') setFileDate(tx, file.rid, date)
}

function mend(tx: Tx, file: OldFile, date: FileDateColumns): void {
  setFileDate(tx, file.rid, date)
  const changes = changesBetween(shownDate(file), shownDate(date))!
  audit(tx, SYSTEM, 'file_edit', { type: 'file', id: file.id }, { changes })
}

/**
 * Returns the date that an upload of the file would get now, apart from the time of the upload. `hasClock` says that
 * the file has the best clock for the day in its name already, if that is the same day.
 */
function readAgain(
  {
    original_name: name,
    content_datetime: time,
    content_offset: offset,
    date_source: source,
  }: OldFile,
  facts: ReadDate[],
  { here, hasClock }: { here: Here; hasClock: boolean },
): FileDate | null {
  const modified = hasClock ? { time, offset } : undefined
  const ofContent = judgeDates(facts, here)
  const { date } = uploadDate({ ofContent, name, modified }, here)
  if (date.date_source !== 'upload' && date.date_source !== 'mtime') return date
  // The time of an upload says nothing of a content whose date is known in part.
  return source === 'name' || source === 'mtime' ? null : ofContent.date
}

function changedBy(db: Db, file: OldFile): 'a person' | 'the server' | null {
  const changes = listDateChanges(db, file.id)
  const last = changes.at(-1)
  if (!last) return null
  if (changes.some(({ user_id }) => user_id === SYSTEM.id)) return 'the server'
  const isAsBefore = changes[0]!.from === isoTime(file.content_datetime)
  const { operation } = last
  return isAsBefore && operation !== null && tookBack(db, operation) !== undefined
    ? null
    : 'a person'
}

// Earlier versions read no fractions of a second.
function isSameTime({ content_datetime }: OldFile, ms: number): boolean {
  return content_datetime === ms || content_datetime === Math.floor(ms / 1000) * 1000
}
