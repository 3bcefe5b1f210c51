import { asc, eq, gt } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { asLimit, prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { lateDates } from '../../db/schema/background.ts'
import { files } from '../../db/schema/files.ts'
import type { Tx } from '../../db/write.ts'
import type { ReadDate } from '../../media/dates.ts'
import type { FileDateColumns } from './file-date.ts'

/** A file with late dates, which were still in the future when it came. */
export interface LateFile extends FileDateColumns {
  rid: number
  id: string
  original_name: string | null
  late: ReadDate[]
}

const { file_rid, dates } = lateDates
const LATE_FILE = {
  rid: files.rid,
  id: files.id,
  original_name: files.original_name,
  content_datetime: files.content_datetime,
  content_offset: files.content_offset,
  date_source: files.date_source,
  date_precision: files.date_precision,
  dates,
}

const listed = prepared({ after: file_rid, limit: 'number' }, (db, given) =>
  reading(LATE_FILE, (fields) =>
    db
      .select(fields)
      .from(lateDates)
      .innerJoin(files, eq(files.rid, file_rid))
      .where(gt(file_rid, given.after))
      .orderBy(asc(file_rid))
      .limit(asLimit(given.limit)),
  ),
)

/** Returns the next files after a rid that have late dates. */
export function listLateFiles(db: Db, page: { after: number; limit: number }): LateFile[] {
  return listed.all(db, page).map(({ dates, ...file }) => ({ ...file, late: JSON.parse(dates) }))
}

const found = prepared({ file_rid }, (db, given) =>
  reading({ dates }, (fields) =>
    db.select(fields).from(lateDates).where(eq(file_rid, given.file_rid)),
  ),
)

/** Returns the late dates of a file, best first. */
export function findLateDates(db: Db, rid: number): ReadDate[] {
  const row = found.get(db, { file_rid: rid })
  return row ? JSON.parse(row.dates) : []
}

const put = prepared({ file_rid, dates }, (db, given) =>
  db
    .insert(lateDates)
    .values(given)
    .onConflictDoUpdate({ target: file_rid, set: { dates: given.dates } }),
)
const removed = prepared({ file_rid }, (db, given) =>
  db.delete(lateDates).where(eq(file_rid, given.file_rid)),
)

/** Replaces the late dates of a file. */
export function setLateDates(tx: Tx, rid: number, late: ReadDate[]): void {
  if (late.length > 0) put.run(tx, { file_rid: rid, dates: JSON.stringify(late) })
  else removed.run(tx, { file_rid: rid })
}
