import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { fileDetails, files } from '../db/schema/files.ts'
import type { Tx } from '../db/write.ts'
import type { Derivatives } from '../media/decoder.ts'

/** Returns the condition that a file still exists and has this blob. */
function stillHas(file: { rid: number; blob: string }) {
  return and(eq(fileDetails.file_rid, file.rid), eq(fileDetails.blob, file.blob))
}

/** Returns whether a file still exists and has this blob. */
export function hasBlob(db: Db, file: { rid: number; blob: string }): boolean {
  const row = db
    .select({ file_rid: fileDetails.file_rid })
    .from(fileDetails)
    .where(stillHas(file))
    .get()
  return row !== undefined
}

/** Records that a content could not be decoded on a later try; what an earlier try made stays. */
export function recordFailure(
  tx: Tx,
  file: { rid: number; blob: string },
  decoder_version: string,
): void {
  tx.update(fileDetails)
    .set({ derivative_state: 'failed', decoder_version })
    .where(and(stillHas(file), ne(fileDetails.derivative_state, 'made')))
    .run()
}

/**
 * Records what the decoder made from a content on a later try, if the file still has its blob. A
 * failed try takes away nothing that an earlier one made, and a pending one changes nothing. The
 * EXIF is recorded, too, if the system refused to have it read at the upload.
 */
export function recordDerivatives(
  tx: Tx,
  file: { rid: number; blob: string },
  derivatives: Derivatives,
): void {
  const { state, decoder_version, phash } = derivatives
  if (state === 'pending') return
  recordLateExif(tx, file, derivatives)
  if (state === 'failed') {
    recordFailure(tx, file, decoder_version)
    return
  }
  const changed = tx.changes(
    tx.update(fileDetails).set({ derivative_state: state, decoder_version }).where(stillHas(file)),
  )
  if (changed === 0) return
  tx.update(files)
    .set({ phash: sql`CAST(${phash} AS INTEGER)` })
    .where(eq(files.rid, file.rid))
    .run()
}

/**
 * Records EXIF that was read late. Its time replaces the file's only where that is the time of the
 * upload, which stands in for a missing one.
 */
function recordLateExif(
  db: Db,
  file: { rid: number; blob: string },
  { exif, content_datetime }: Derivatives,
): void {
  const { derivative_state } = fileDetails
  const unread = and(stillHas(file), eq(derivative_state, 'pending'), eq(fileDetails.exif, '{}'))
  const changed = db.changes(
    db
      .update(fileDetails)
      .set({ exif: JSON.stringify(exif) })
      .where(unread),
  )
  if (changed === 0 || content_datetime === null) return
  const uploaded = db
    .select({ stored_at: fileDetails.stored_at })
    .from(fileDetails)
    .where(eq(fileDetails.file_rid, file.rid))
  db.update(files)
    .set({ content_datetime })
    .where(and(eq(files.rid, file.rid), eq(files.content_datetime, uploaded)))
    .run()
}
