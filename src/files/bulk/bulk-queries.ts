import { and, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { AuditAction, Details } from '../../audit/details.ts'
import { type Actor, auditEach } from '../../audit/record.ts'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { acl } from '../../db/schema/acl.ts'
import { fileDetails, files, fileTags } from '../../db/schema/files.ts'
import { listed } from '../../db/sql.ts'
import type { Tx } from '../../db/write.ts'

/** Moves files to the trash, with an audit entry for each that isn't there yet. */
export function trashFiles(tx: Tx, actor: Actor, rids: number[]): void {
  changeFiles(tx, actor, rids, TRASHED)
}

/** Takes files out of the trash, with an audit entry for each that is there; returns how many were. */
export function restoreFiles(tx: Tx, actor: Actor, rids: number[]): number {
  return changeFiles(tx, actor, rids, RESTORED)
}

/** Marks files as reviewed or needing review, with an audit entry for each that changes. */
export function markFiles(tx: Tx, actor: Actor, rids: number[], needs_review: boolean): void {
  changeFiles(tx, actor, rids, needs_review ? UNREVIEWED : REVIEWED)
}

const NAME = sql`json_object('original_name', ${files.original_name})`
const TRASHED = changing('file_delete', { is_deleted: true }, NAME)
const RESTORED = changing('file_restore', { is_deleted: false }, NAME)
const REVIEWED = changing('file_review', { needs_review: false }, reviewDetails(false))
const UNREVIEWED = changing('file_review', { needs_review: true }, reviewDetails(true))

function reviewDetails(needs_review: boolean): SQL {
  const details: Details['file_review'] = {
    needs_review: { from: !needs_review, to: needs_review },
  }
  return sql`${JSON.stringify(details)}`
}

function changing(
  action: AuditAction,
  value: { is_deleted: boolean } | { needs_review: boolean },
  details: SQL,
) {
  const differs =
    'is_deleted' in value
      ? eq(files.is_deleted, !value.is_deleted)
      : eq(files.needs_review, !value.needs_review)
  return {
    recorded: auditEach(
      action,
      'file',
      { files: 'text' },
      (given) =>
        sql`SELECT ${files.id} AS id, ${details} AS details
          FROM json_each(${given.files}) AS j CROSS JOIN ${files} ON ${files.rid} = j.value
          WHERE ${differs}`,
    ),
    changed: prepared({ files: 'text', now: files.trashed_at }, (db, given) =>
      db
        .update(files)
        .set(
          'is_deleted' in value
            ? { ...value, trashed_at: value.is_deleted ? given.now : null }
            : value,
        )
        .where(and(inArray(files.rid, listed(given.files)), differs)),
    ),
  }
}

function changeFiles(
  tx: Tx,
  actor: Actor,
  rids: number[],
  { recorded, changed }: ReturnType<typeof changing>,
): number {
  const list = { files: JSON.stringify(rids) }
  const count = recorded(tx, actor, list)
  changed.run(tx, { ...list, now: tx.now })
  return count
}

const trashedAmong = prepared({ files: 'text' }, (db, given) =>
  reading({ rid: files.rid, id: files.id, blob: fileDetails.blob }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.files}) AS j`)
      .crossJoin(files)
      .innerJoin(fileDetails, eq(fileDetails.file_rid, files.rid))
      .where(and(eq(files.rid, sql`j.value`), eq(files.is_deleted, true)))
      .orderBy(sql`j.key`),
  ),
)

/** Returns those of the files that are in the trash, in order, with their blobs. */
export function findTrashed(db: Db, rids: number[]): { rid: number; id: string; blob: string }[] {
  return trashedAmong.all(db, { files: JSON.stringify(rids) })
}

// Who could view a file.
const SIGHT = sql`json_object('creator_id', ${files.creator_id},
    'is_public', json(iif(${files.is_public}, 'true', 'false')),
    'viewers', json((SELECT json_group_array(DISTINCT ${acl.user_id}) FROM ${acl}
      WHERE ${acl.object_type} = 'file' AND ${acl.object_rid} = ${files.rid} AND ${acl.can_view} = 1)))`
const purgeRecorded = auditEach('file_permanent_delete', 'file', { files: 'text' }, (given) => {
  const { mime_type, original_name } = files
  const { size, sha256 } = fileDetails
  const sum = sql`lower(hex(${sha256}))`
  return sql`SELECT ${files.id} AS id, json_object('original_name', ${original_name},
      'mime_type', ${mime_type}, 'size', ${size}, 'sha256', ${sum}, 'internal', ${SIGHT}) AS details
    FROM json_each(${given.files}) AS j CROSS JOIN ${files} ON ${files.rid} = j.value
    CROSS JOIN ${fileDetails} ON ${fileDetails.file_rid} = ${files.rid}`
})
const purged = prepared({ files: 'text' }, (db, given) =>
  db.delete(files).where(inArray(files.rid, listed(given.files))),
)

/** Deletes the rows of files and all rows that refer to them, with an audit entry for each. */
export function deleteFiles(tx: Tx, actor: Actor, rids: number[]): void {
  const list = { files: JSON.stringify(rids) }
  purgeRecorded(tx, actor, list)
  purged.run(tx, list)
}

/** Returns the tags on the files, with the number of these files for each. */
export function countTags(db: Db, rids: number[]): { tag_rid: number; files: number }[] {
  return db.rows(
    reading({ tag_rid: fileTags.tag_rid, files: count() }, (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${JSON.stringify(rids)}) AS j`)
        .crossJoin(fileTags)
        .where(eq(fileTags.file_rid, sql`j.value`))
        .groupBy(fileTags.tag_rid),
    ),
  )
}
