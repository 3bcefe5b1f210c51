import type { Db } from '../db/client.ts'
import type { Derivatives } from '../media/decoder.ts'

/** Returns whether a file still exists and has this blob. */
export function hasBlob(db: Db, file: { rid: number; blob: string }): boolean {
  const row = db.get(
    'SELECT 1 FROM file_details WHERE file_rid = ? AND blob = ?',
    file.rid,
    file.blob,
  )
  return row !== undefined
}

/** Records that a content could not be decoded on a later try; what an earlier try made stays. */
export function recordFailure(
  db: Db,
  file: { rid: number; blob: string },
  decoder_version: string,
): void {
  db.run(
    `UPDATE file_details SET derivative_state = 'failed', decoder_version = ?
     WHERE file_rid = ? AND blob = ? AND derivative_state <> 'made'`,
    decoder_version,
    file.rid,
    file.blob,
  )
}

/**
 * Records what the decoder made from a content on a later try, if the file still has its blob. A
 * failed try takes away nothing that an earlier one made, and a pending one changes nothing. The
 * EXIF is recorded, too, if the system refused to have it read at the upload.
 */
export function recordDerivatives(
  db: Db,
  file: { rid: number; blob: string },
  derivatives: Derivatives,
): void {
  if (derivatives.state === 'pending') return
  recordLateExif(db, file, derivatives)
  if (derivatives.state === 'failed') {
    recordFailure(db, file, derivatives.decoder_version)
    return
  }
  const changed = db.run(
    'UPDATE file_details SET derivative_state = ?, decoder_version = ? WHERE file_rid = ? AND blob = ?',
    derivatives.state,
    derivatives.decoder_version,
    file.rid,
    file.blob,
  )
  if (changed === 0) return
  db.run('UPDATE files SET phash = CAST(? AS INTEGER) WHERE rid = ?', derivatives.phash, file.rid)
}

/**
 * Records EXIF that was read late. Its time replaces the file's only where that is the time of the
 * upload, which stands in for a missing one.
 */
function recordLateExif(
  db: Db,
  { rid, blob }: { rid: number; blob: string },
  { exif, content_datetime }: Derivatives,
): void {
  const changed = db.run(
    `UPDATE file_details SET exif = ?
     WHERE file_rid = ? AND blob = ? AND derivative_state = 'pending' AND exif = '{}'`,
    JSON.stringify(exif),
    rid,
    blob,
  )
  if (changed === 0 || content_datetime === null) return
  db.run(
    `UPDATE files SET content_datetime = ? WHERE rid = ?
     AND content_datetime = (SELECT stored_at FROM file_details WHERE file_rid = ?)`,
    content_datetime,
    rid,
    rid,
  )
}
