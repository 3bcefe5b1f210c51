import { and, asc, count, eq, gt, gte, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { auditLog } from '../../db/schema/audit.ts'
import { duplicateScans } from '../../db/schema/duplicates.ts'
import { fileDetails, files } from '../../db/schema/files.ts'
import type { Tx } from '../../db/write.ts'

/**
 * Returns the condition for files that the decoder could not try, because the system refused, and for
 * those that a decoder of another version could not decode.
 */
function isUntried(decoderVersion: string): SQL | undefined {
  const { derivative_state, decoder_version } = fileDetails
  return or(
    eq(derivative_state, 'pending'),
    and(eq(derivative_state, 'failed'), sql`${decoder_version} IS NOT ${decoderVersion}`),
  )
}

/** A file that has no hash yet. */
export type Untried = Pick<typeof files.$inferSelect, 'rid' | 'mime_type'> &
  Pick<typeof fileDetails.$inferSelect, 'blob'>

/** Returns the first untried files above a row number. */
export function listUntried(
  db: Db,
  decoderVersion: string,
  page: { after: number; limit: number },
): Untried[] {
  return db
    .select({ rid: files.rid, blob: fileDetails.blob, mime_type: files.mime_type })
    .from(fileDetails)
    .innerJoin(files, eq(files.rid, fileDetails.file_rid))
    .where(and(isUntried(decoderVersion), gt(files.rid, page.after)))
    .orderBy(asc(files.rid))
    .limit(page.limit)
    .all()
}

/** Returns how many files are untried. */
export function countUntried(db: Db, decoderVersion: string): number {
  const counted = db
    .select({ total: count() })
    .from(fileDetails)
    .where(isUntried(decoderVersion))
    .get()
  return counted?.total ?? 0
}

/** Returns whether any file is untried. */
export function hasUntried(db: Db, decoderVersion: string): boolean {
  const found = db
    .select({ rid: fileDetails.file_rid })
    .from(fileDetails)
    .where(isUntried(decoderVersion))
    .limit(1)
    .get()
  return found !== undefined
}

/** Returns how many files there are, trashed ones included. */
export function countFiles(db: Db): number {
  return db.select({ total: count() }).from(files).get()?.total ?? 0
}

/** Returns whether there is any file. */
export function hasFiles(db: Db): boolean {
  return db.select({ rid: files.rid }).from(files).limit(1).get() !== undefined
}

/** Returns whether a file has got its content since a time. */
export function hasNewContent(db: Db, since: number): boolean {
  const found = db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        inArray(auditLog.action, ['file_create', 'file_replace']),
        gte(auditLog.performed_at, since),
      ),
    )
    .limit(1)
    .get()
  return found !== undefined
}

/** Returns the current scan, if there was one. */
export function lastScan(
  db: Db,
): Pick<typeof duplicateScans.$inferSelect, 'threshold' | 'started_at'> | undefined {
  return db
    .select({ threshold: duplicateScans.threshold, started_at: duplicateScans.started_at })
    .from(duplicateScans)
    .where(eq(duplicateScans.is_current, true))
    .get()
}

/** Writes that a scan has finished and is the current one from now on. */
export function makeCurrent(tx: Tx, scan: number): void {
  const { id, is_current } = duplicateScans
  tx.update(duplicateScans).set({ is_current: false }).where(eq(is_current, true)).run()
  const current = { is_current: true, finished_at: tx.now }
  tx.update(duplicateScans).set(current).where(eq(id, scan)).run()
}
