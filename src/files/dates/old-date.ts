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
import { type FileDateColumns, shownDate, uploadDate } from './file-date.ts'
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
  const found = facts && readAgain(file, facts.dates, { here, isOfUpload })
  const left: Verdict = { what: 'left', date: dateOf(file) }
  const isFrom = (date_source: FileDate['date_source'], offset = file.content_offset): Verdict => {
    const date = { ...dateOf(file), content_offset: offset, date_source }
    return { what: 'source', date }
  }
  const changed = changedBy(db, file)
  if (changed === 'a person') return isFrom('given')
  // A date that was mended and taken back stays as it is.
  if (changed === 'the server' || !facts) return left
  if (found && isSameTime(file, found.content_datetime)) {
    return isFrom(found.date_source, found.content_offset)
  }
  if (!isOfUpload) return left
  // A content that came later says nothing about the one that the date belongs to.
  if (!found || file.stored_at > created_at) return isFrom('upload')
  return { what: 'mended', date: found }
}

/**
 * Settles the date of a file whose source was not recorded, and writes its EXIF if it has none. A mended date gets an
 * audit entry.
 */
export function settleDate(tx: Tx, file: OldFile, facts: Facts | null, here: Here): void {
  if (facts) setMissingExif(tx, file.rid, facts.exif)
  if (file.date_source !== null) return
  const { what, date } = judgeDate(tx, file, facts, here)
  if (what === 'left') return
  setFileDate(tx, file.rid, date)
  if (what === 'source') return
  const changes = changesBetween(shownDate(file), shownDate(date))!
  audit(tx, SYSTEM, 'file_edit', { type: 'file', id: file.id }, { changes })
}

function dateOf({ content_datetime, content_offset, date_source }: OldFile): FileDateColumns {
  return { content_datetime, content_offset, date_source }
}

/** Returns the date that an upload of the file would get now, apart from the time of the upload. */
function readAgain(
  { original_name: name, content_datetime: time }: OldFile,
  facts: ReadDate[],
  { here, isOfUpload }: { here: Here; isOfUpload: boolean },
): FileDate | null {
  // A file sent on the day in its name already has the best clock for that day.
  const modified = isOfUpload ? { time, offset: null } : undefined
  const { date } = uploadDate({ ofContent: judgeDates(facts, here), name, modified }, here)
  return date.date_source === 'upload' || date.date_source === 'mtime' ? null : date
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
