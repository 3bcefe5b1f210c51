import { eq } from 'drizzle-orm'
import { prepared } from '../../db/prepared.ts'
import { files } from '../../db/schema/files.ts'
import type { Tx } from '../../db/write.ts'
import { dateOf, type FileDateColumns } from './file-date.ts'

const dated = prepared(
  {
    rid: files.rid,
    content_datetime: files.content_datetime,
    content_offset: files.content_offset,
    date_source: files.date_source,
    date_precision: files.date_precision,
  },
  (db, { rid, ...given }) => db.update(files).set(given).where(eq(files.rid, rid)),
)

export function setFileDate(tx: Tx, rid: number, date: FileDateColumns): void {
  dated.run(tx, { rid, ...dateOf(date) })
}
