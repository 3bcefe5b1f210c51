import { and, count, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { AuditAction } from '../audit/record.ts'
import type { Db } from '../db/client.ts'
import { auditLog } from '../db/schema/audit.ts'
import { files, fileTags } from '../db/schema/files.ts'

/** Who changes which files, named by their row numbers, and when. */
interface BulkChange {
  files: number[]
  user: { id: number; name: string }
  now: number
}

/** Moves files to the trash inside a write, with an audit entry for each that isn't there yet. */
export function trashFiles(db: Db, change: BulkChange): void {
  changeFiles(db, change, {
    action: 'file_delete',
    differs: eq(files.is_deleted, false),
    details: sql`json_object('original_name', ${files.original_name})`,
    set: { is_deleted: true },
  })
}

/**
 * Marks files as reviewed or needing review inside a write, with an audit entry for each that
 * changes.
 */
export function markFiles(db: Db, change: BulkChange, needs_review: boolean): void {
  const details = { needs_review: { from: !needs_review, to: needs_review } }
  changeFiles(db, change, {
    action: 'file_review',
    differs: ne(files.needs_review, needs_review),
    details: sql`${JSON.stringify(details)}`,
    set: { needs_review },
  })
}

/** Changes a column of many files, with an audit entry for each file that it changes. */
function changeFiles(
  db: Db,
  { files: rids, user, now }: BulkChange,
  change: {
    action: AuditAction
    /** The condition that the change makes a difference to a file. */
    differs: SQL
    /** The entry's details. */
    details: SQL
    set: Partial<typeof files.$inferSelect>
  },
): void {
  const list = JSON.stringify(rids)
  const entries = db
    .select({
      id: sql`NULL`.as('id'),
      user_id: sql`${user.id}`.as('user_id'),
      user_name: sql`${user.name}`.as('user_name'),
      action: sql`${change.action}`.as('action'),
      object_type: sql`'file'`.as('object_type'),
      object_id: files.id,
      details: change.details.as('details'),
      performed_at: sql`${now}`.as('performed_at'),
    })
    .from(sql`json_each(${list}) AS j`)
    .crossJoin(files)
    .where(and(eq(files.rid, sql`j.value`), change.differs))
  db.insert(auditLog).select(entries).run()
  db.update(files)
    .set(change.set)
    .where(and(inArray(files.rid, sql`(SELECT value FROM json_each(${list}))`), change.differs))
    .run()
}

/** Returns the tags of the files, by row numbers, with how many of the files each is on. */
export function countTags(db: Db, rids: number[]): { tag_rid: number; files: number }[] {
  return db
    .select({ tag_rid: fileTags.tag_rid, files: count() })
    .from(sql`json_each(${JSON.stringify(rids)}) AS j`)
    .crossJoin(fileTags)
    .where(eq(fileTags.file_rid, sql`j.value`))
    .groupBy(fileTags.tag_rid)
    .all()
}
