import { and, eq, ne } from 'drizzle-orm'
import type { DateSource } from '../base/enums.ts'
import type { Db } from '../db/client.ts'
import { idTime } from '../db/ids.ts'
import { reading } from '../db/reading.ts'
import { fileDetails, files } from '../db/schema/files.ts'
import type { Tx } from '../db/write.ts'
import type { Derivatives } from '../media/decoder/decoder.ts'
import { isFiner } from './dates/file-date.ts'
import { setFileDate } from './dates/file-date-queries.ts'
import { findLateDates, setLateDates } from './dates/late-dates-queries.ts'
import { recordHashes, recordLooks, UNKNOWN_LOOKS } from './looks/queries.ts'
import { recordCapture } from './places/capture-queries.ts'

// Sources of dates that a date of the content itself replaces.
const MENDED: DateSource[] = ['name', 'mtime', 'upload']

function stillHas(file: { rid: number; blob: string }) {
  return and(eq(fileDetails.file_rid, file.rid), eq(fileDetails.blob, file.blob))
}

/** Returns whether a file still exists and has this blob. */
export function hasBlob(db: Db, file: { rid: number; blob: string }): boolean {
  const row = db.first(
    reading({ file_rid: fileDetails.file_rid }, (fields) =>
      db.select(fields).from(fileDetails).where(stillHas(file)),
    ),
  )
  return row !== undefined
}

/** Returns the file that has a blob, if there is one. */
export function findFileOf(db: Db, blob: string): { rid: number; blob: string } | undefined {
  return db.first(
    reading({ rid: fileDetails.file_rid, blob: fileDetails.blob }, (fields) =>
      db.select(fields).from(fileDetails).where(eq(fileDetails.blob, blob)),
    ),
  )
}

/** Returns the id of the file that has a blob, if there is one. */
export function findIdOf(db: Db, blob: string): string | undefined {
  return db.first(
    reading({ id: files.id }, (fields) =>
      db
        .select(fields)
        .from(fileDetails)
        .innerJoin(files, eq(files.rid, fileDetails.file_rid))
        .where(eq(fileDetails.blob, blob)),
    ),
  )?.id
}

/** Records what a content is when an earlier version took it for something else; nothing is made of it yet. */
export function setType(
  tx: Tx,
  rid: number,
  type: Pick<typeof files.$inferSelect, 'mime_type' | 'mime_extension'>,
): void {
  tx.execute(tx.update(files).set(type).where(eq(files.rid, rid)))
  const derivative_state = 'pending'
  tx.execute(tx.update(fileDetails).set({ derivative_state }).where(eq(fileDetails.file_rid, rid)))
}

/** Records that a content could not be decoded on a later try; what an earlier try made stays. */
export function recordFailure(
  tx: Tx,
  file: { rid: number; blob: string },
  {
    decoder_version,
    looks,
    is_damaged,
  }: Pick<Derivatives, 'decoder_version' | 'looks' | 'is_damaged'>,
): void {
  const changed = tx.execute(
    tx
      .update(fileDetails)
      .set({ derivative_state: 'failed', decoder_version, is_damaged })
      .where(and(stillHas(file), ne(fileDetails.derivative_state, 'made'))),
  )
  if (changed > 0) recordLooks(tx, file.rid, { decoder_version, looks: looks ?? UNKNOWN_LOOKS })
}

/**
 * Records what the decoder made from a content on a later try, if the file still has its blob. A failed try discards
 * nothing that an earlier one made, and a pending one changes nothing. Also records the EXIF, if the system refused to
 * read it at the upload.
 */
export function recordDerivatives(
  tx: Tx,
  file: { rid: number; blob: string },
  derivatives: Derivatives,
): void {
  const { state, decoder_version, is_damaged } = derivatives
  if (state === 'pending') return
  recordLateExif(tx, file, derivatives)
  if (!hasBlob(tx, file)) return
  if (state === 'failed') {
    recordFailure(tx, file, derivatives)
    return
  }
  recordLooks(tx, file.rid, derivatives)
  tx.execute(
    tx
      .update(fileDetails)
      .set({ derivative_state: state, decoder_version, is_damaged })
      .where(stillHas(file)),
  )
  recordHashes(tx, file.rid, derivatives)
}

/**
 * The date of late EXIF replaces the file's date only if that comes from outside the content, and the content is the
 * one that the file came with.
 */
function recordLateExif(
  tx: Tx,
  file: { rid: number; blob: string },
  { exif, dates }: Derivatives,
): void {
  const { derivative_state } = fileDetails
  const unread = and(stillHas(file), eq(derivative_state, 'pending'), eq(fileDetails.exif, '{}'))
  const changed = tx.execute(
    tx
      .update(fileDetails)
      .set({ exif: JSON.stringify(exif) })
      .where(unread),
  )
  if (changed === 0) return
  recordCapture(tx, file.rid, exif)
  if (dates.date === null && dates.late.length === 0) return
  const { id, stored_at, ...present } = tx.first(
    reading(
      {
        id: files.id,
        content_datetime: files.content_datetime,
        content_offset: files.content_offset,
        date_source: files.date_source,
        date_precision: files.date_precision,
        stored_at: fileDetails.stored_at,
      },
      (fields) =>
        tx
          .select(fields)
          .from(files)
          .innerJoin(fileDetails, eq(fileDetails.file_rid, files.rid))
          .where(eq(files.rid, file.rid)),
    ),
  )!
  const { date_source } = present
  // Files from before sources were recorded are mended in the background, which can be taken back.
  const isStandIn = date_source !== null && MENDED.includes(date_source)
  const isFirstContent = stored_at <= idTime(id)
  if (!isStandIn || !isFirstContent) return
  const isKept = dates.date && date_source !== 'upload' && isFiner(present, dates.date)
  if (dates.date && !isKept) setFileDate(tx, file.rid, dates.date)
  // A date from beside the content is worth less than one from the content.
  const beside = dates.date ? [] : findLateDates(tx, file.rid)
  setLateDates(tx, file.rid, [...dates.late, ...beside])
}
