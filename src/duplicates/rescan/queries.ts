import {
  and,
  asc,
  between,
  count,
  desc,
  eq,
  gt,
  inArray,
  max,
  notExists,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { finer } from '../../background/finer.ts'
import { hasOwed } from '../../background/owed-queries.ts'
import { findWork } from '../../background/queries.ts'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { auditLog } from '../../db/schema/audit.ts'
import { duplicateMembers, duplicateScans } from '../../db/schema/duplicates.ts'
import { fileDetails, files, finerHashes } from '../../db/schema/files.ts'
import { library } from '../../db/schema/library.ts'
import type { Tx } from '../../db/write.ts'
import type { TurnedFile } from '../../files/looks/turn-queries.ts'

// The condition for files that the decoder could not try, because the system refused, and for those that a decoder of
// another version could not decode.
function isUntried(decoderVersion: string): SQL | undefined {
  const { derivative_state, decoder_version } = fileDetails
  return or(
    eq(derivative_state, 'pending'),
    and(eq(derivative_state, 'failed'), sql`${decoder_version} IS NOT ${decoderVersion}`),
  )
}

/** What the decoder needs of a file. */
export type Decodable = Pick<typeof files.$inferSelect, 'rid' | 'mime_type'> &
  Pick<typeof fileDetails.$inferSelect, 'blob'>

/** Returns the first untried files above a row number. */
export function listUntried(
  db: Db,
  decoderVersion: string,
  page: { after: number; limit: number },
): Decodable[] {
  return db.rows(
    reading({ rid: files.rid, blob: fileDetails.blob, mime_type: files.mime_type }, (fields) =>
      db
        .select(fields)
        .from(fileDetails)
        .innerJoin(files, eq(files.rid, fileDetails.file_rid))
        .where(and(isUntried(decoderVersion), gt(files.rid, page.after)))
        .orderBy(asc(files.rid))
        .limit(page.limit),
    ),
  )
}

/** Returns how many files are untried. */
export function countUntried(db: Db, decoderVersion: string): number {
  const counted = db.first(
    reading({ total: count() }, (fields) =>
      db.select(fields).from(fileDetails).where(isUntried(decoderVersion)),
    ),
  )
  return counted?.total ?? 0
}

/** Returns whether any file is untried. */
export function hasUntried(db: Db, decoderVersion: string): boolean {
  const found = db.first(
    reading({ rid: fileDetails.file_rid }, (fields) =>
      db.select(fields).from(fileDetails).where(isUntried(decoderVersion)).limit(1),
    ),
  )
  return found !== undefined
}

/** Returns how many files there are, trashed ones included. */
export function countFiles(db: Db): number {
  return (
    db.first(reading({ total: count() }, (fields) => db.select(fields).from(files)))?.total ?? 0
  )
}

/** Returns whether there is any file. */
export function hasFiles(db: Db): boolean {
  return (
    db.first(reading({ rid: files.rid }, (fields) => db.select(fields).from(files).limit(1))) !==
    undefined
  )
}

/**
 * Returns whether a file has got its content in a span of time, both ends included; later ones come from a wrong clock.
 */
export function hasNewContent(db: Db, since: number, now: number): boolean {
  const found = db.first(
    reading({ id: auditLog.id }, (fields) =>
      db
        .select(fields)
        .from(auditLog)
        .where(
          and(
            inArray(auditLog.action, ['file_create', 'file_replace']),
            between(auditLog.performed_at, since, now),
          ),
        )
        .limit(1),
    ),
  )
  return found !== undefined
}

/** Returns whether the background job has given a finer hash to all older files that can be decoded. */
export function isFinerKnown(db: Db): boolean {
  const work = findWork(db, finer.name)
  return work?.place === null && work.due === null && !hasOwed(db, finer.name)
}

/** Returns how many hashes files have got after their upload, or instead of another. */
export function countLateHashes(db: Db): number {
  return db.first(
    reading({ count: library.late_hashes }, (fields) => db.select(fields).from(library)),
  )!.count
}

/** Returns the current scan, if there is one. */
export function lastScan(
  db: Db,
):
  | Pick<
      typeof duplicateScans.$inferSelect,
      'threshold' | 'started_at' | 'finished_at' | 'is_whole' | 'late_hashes'
    >
  | undefined {
  const { threshold, started_at, finished_at, is_whole, late_hashes } = duplicateScans
  return db.first(
    reading({ threshold, started_at, finished_at, is_whole, late_hashes }, (fields) =>
      db.select(fields).from(duplicateScans).where(eq(duplicateScans.is_current, true)),
    ),
  )
}

const rescanEntries = prepared({}, (db) => {
  const { id, user_id, user_name, details, action, performed_at } = auditLog
  return reading({ user_id, user_name, details, performed_at }, (fields) =>
    db
      .select(fields)
      .from(auditLog)
      .where(eq(action, 'duplicate_rescan'))
      .orderBy(desc(performed_at), desc(id))
      .limit(1),
  )
})

/** Returns what the audit log says of the last rescan that was completed, if there is one. */
export function lastRescan(
  db: Db,
):
  | Pick<typeof auditLog.$inferSelect, 'user_id' | 'user_name' | 'details' | 'performed_at'>
  | undefined {
  return rescanEntries.get(db, {})
}

const finerOf = prepared({ rids: 'text' }, (db, { rids }) => {
  const { hash, is_plain, sha256 } = finerHashes
  const content = db
    .select({ sha256: fileDetails.sha256 })
    .from(fileDetails)
    .where(eq(fileDetails.file_rid, sql`j.value`))
  return reading(
    {
      place: sql<number>`j.key`.as('place'),
      hash,
      isPlain: sql<number | null>`${is_plain}`.as('isPlain'),
      sha256: sql<Uint8Array | null>`coalesce(${sha256}, ${content})`.as('sha256'),
    },
    (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${rids}) AS j`)
        .leftJoin(finerHashes, eq(finerHashes.file_rid, sql`j.value`)),
  )
})

/**
 * Returns the finer hashes of files, null where there is none, and the SHA-256 of their contents, null where a file is
 * gone; each with its place in the list.
 */
export function listFinerHashes(
  db: Db,
  rids: number[],
): {
  place: number
  hash: Uint8Array | null
  isPlain: number | null
  sha256: Uint8Array | null
}[] {
  return finerOf.all(db, { rids: JSON.stringify(rids) })
}

const contents = prepared({ rid: files.rid, asOf: auditLog.id }, (db, { rid, asOf }) => {
  const { id, action, object_id } = auditLog
  const replacement = db
    .select({ id })
    .from(auditLog)
    .where(and(eq(object_id, files.id), eq(action, 'file_replace'), gt(id, asOf)))
  const { blob, rotation } = fileDetails
  return reading({ rid: files.rid, blob, mime_type: files.mime_type, rotation }, (fields) =>
    db
      .select(fields)
      .from(files)
      .innerJoin(fileDetails, eq(fileDetails.file_rid, files.rid))
      .where(and(eq(files.rid, rid), notExists(replacement))),
  )
})

/**
 * Returns what the decoder needs of a file, and how it is turned, if it still exists and has got no other content since
 * an entry of the audit log.
 */
export function contentOf(db: Db, file: { rid: number; asOf: number }): TurnedFile | undefined {
  return contents.get(db, file)
}

/** Returns the id of the newest entry of the audit log; 0 when there is none. */
export function lastEntry(db: Db): number {
  const newest = db.first(
    reading({ id: max(auditLog.id) }, (fields) => db.select(fields).from(auditLog)),
  )
  return newest?.id ?? 0
}

/**
 * Writes that a scan has finished and is the current one from now on. Leaves out files that have got another content
 * since the newest entry of the audit log when the hashes were read.
 */
export function makeCurrent(tx: Tx, scan: number, asOf: number): void {
  const { scan_id, file_rid } = duplicateMembers
  const replaced = tx
    .select({ rid: files.rid })
    .from(auditLog)
    .innerJoin(files, eq(files.id, auditLog.object_id))
    .where(and(eq(auditLog.action, 'file_replace'), gt(auditLog.id, asOf)))
  tx.execute(tx.delete(duplicateMembers).where(and(eq(scan_id, scan), inArray(file_rid, replaced))))
  const { id, is_current } = duplicateScans
  tx.execute(tx.update(duplicateScans).set({ is_current: false }).where(eq(is_current, true)))
  const current = { is_current: true, finished_at: tx.now }
  tx.execute(tx.update(duplicateScans).set(current).where(eq(id, scan)))
}
