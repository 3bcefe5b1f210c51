import { eq } from 'drizzle-orm'
import { prepared } from '../../db/prepared.ts'
import { files } from '../../db/schema/files.ts'
import type { Tx } from '../../db/write.ts'
import type { FileDateColumns } from './file-date.ts'

const dated = prepared(
  {
    rid: files.rid,
    content_datetime: files.content_datetime,
    content_offset: files.content_offset,
    date_source: files.date_source,
  },
  (db, { rid, ...given }) => db.update(files).set(given).where(eq(files.rid, rid)),
)

export function setFileDate(tx: Tx, rid: number, date: FileDateColumns): void {
  const { content_datetime, content_offset, date_source } = date
  dated.run(tx, { rid, content_datetime, content_offset, date_source })
}
