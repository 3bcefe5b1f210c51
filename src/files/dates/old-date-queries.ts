import { and, desc, eq, gte, inArray, isNull, lt, or } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { asLimit, prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { fileDetails, files } from '../../db/schema/files.ts'
import type { Tx } from '../../db/write.ts'
import { recordCapture } from '../places/capture-queries.ts'
import { BESIDE } from './file-date.ts'

const OLD_FILE = {
  rid: files.rid,
  id: files.id,
  original_name: files.original_name,
  mime_type: files.mime_type,
  content_datetime: files.content_datetime,
  content_offset: files.content_offset,
  date_source: files.date_source,
  date_precision: files.date_precision,
  blob: fileDetails.blob,
  stored_at: fileDetails.stored_at,
}

/** A file from before the sources of dates were recorded, or one whose content may tell more by now. */
export type OldFile = Pick<
  typeof files.$inferSelect & typeof fileDetails.$inferSelect,
  keyof typeof OLD_FILE
>

const listed = prepared({ place: files.rid, least: files.rid, limit: 'number' }, (db, given) =>
  reading(OLD_FILE, (fields) =>
    db
      .select(fields)
      .from(files)
      .innerJoin(fileDetails, eq(fileDetails.file_rid, files.rid))
      .where(
        and(
          lt(files.rid, given.place),
          gte(files.rid, given.least),
          // A person may have set the date before the content was read again.
          or(
            isNull(files.date_source),
            inArray(files.date_source, [...BESIDE]),
            and(eq(files.date_source, 'given'), eq(fileDetails.exif, '{}')),
          ),
        ),
      )
      .orderBy(desc(files.rid))
      .limit(asLimit(given.limit)),
  ),
)

/** Returns up to `limit` files below `place`, down to `least`, whose contents are to be read again. */
export function listOldFiles(
  db: Db,
  stretch: { place: number; least: number; limit: number },
): OldFile[] {
  return listed.all(db, stretch)
}

const found = prepared({ rid: files.rid }, (db, given) =>
  reading(OLD_FILE, (fields) =>
    db
      .select(fields)
      .from(files)
      .innerJoin(fileDetails, eq(fileDetails.file_rid, files.rid))
      .where(eq(files.rid, given.rid)),
  ),
)

/** Returns the present row of a file, or undefined when it is gone. */
export function findOldFile(db: Db, rid: number): OldFile | undefined {
  return found.get(db, { rid })
}

const exifRead = prepared({ file_rid: fileDetails.file_rid, exif: fileDetails.exif }, (db, given) =>
  db
    .update(fileDetails)
    .set({ exif: given.exif })
    .where(and(eq(fileDetails.file_rid, given.file_rid), eq(fileDetails.exif, '{}'))),
)

/** Writes the EXIF of a file that has none, if there is any. */
export function setMissingExif(tx: Tx, file_rid: number, exif: Record<string, unknown>): void {
  if (Object.keys(exif).length === 0) return
  const changed = exifRead.run(tx, { file_rid, exif: JSON.stringify(exif) })
  if (changed > 0) recordCapture(tx, file_rid, exif)
}
