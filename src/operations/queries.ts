import { and, count, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import { preparedWithAccess } from '../acl/access.ts'
import type { AuditAction, Details } from '../audit/details.ts'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { auditLog } from '../db/schema/audit.ts'
import { files } from '../db/schema/files.ts'
import { tags } from '../db/schema/tags.ts'
import type { ObjectType } from '../enums.ts'
import type { User } from '../user.ts'

/** An entry of an operation, with its details read. */
export interface Entry<Action extends AuditAction = AuditAction> {
  id: number
  action: Action
  object: { type: ObjectType; id: string } | null
  details: Details[Action]
}

/** Who did an operation, and when it ended. */
interface OperationHead {
  user_id: number
  performed_at: number
}

/** Returns what is known of an operation, or undefined when there is none with that number. */
export function findOperation(db: Db, operation: number): OperationHead | undefined {
  const { user_id, performed_at } = auditLog
  return db
    .select({ user_id, performed_at })
    .from(auditLog)
    .where(eq(auditLog.operation, operation))
    .orderBy(desc(auditLog.id))
    .limit(1)
    .get()
}

/** Returns how many entries an operation has, counted as far as `limit`. */
export function countEntries(db: Db, operation: number, limit: number): number {
  const { id } = auditLog
  const some = db
    .select({ id })
    .from(auditLog)
    .where(eq(auditLog.operation, operation))
    .limit(limit)
  return db.select({ entries: count() }).from(some.as('some')).get()?.entries ?? 0
}

/** Returns entries of an operation from before one of them, newest first. */
export function listEntries(
  db: Db,
  operation: number,
  { before, limit }: { before: number; limit: number },
): Entry[] {
  return entriesOf.all(db, { operation, before, limit }).map((row) => ({
    id: row.id,
    action: row.action as AuditAction,
    object:
      row.object_id === null ? null : { type: row.object_type as ObjectType, id: row.object_id },
    details: JSON.parse(row.details ?? 'null'),
  }))
}

const entriesOf = prepared(
  { operation: auditLog.operation, before: auditLog.id, limit: 'number' },
  (db, given) => {
    const { id, action, object_type, object_id, details } = auditLog
    return db
      .select({ id, action, object_type, object_id, details })
      .from(auditLog)
      .where(and(eq(auditLog.operation, given.operation), lt(id, given.before)))
      .orderBy(desc(id))
      .limit(given.limit as unknown as number)
  },
)

/** Returns whether an operation has been undone. */
export function isUndone(db: Db, operation: number): boolean {
  const undo = db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.action, 'operation_undo'),
        gt(auditLog.id, operation),
        eq(sql`${auditLog.details} ->> '$.operation'`, operation),
      ),
    )
    .limit(1)
    .get()
  return undo !== undefined
}

const statesFor = preparedWithAccess('file', { list: 'text' }, (db, given, allowed) =>
  db
    .select({
      rid: files.rid,
      id: files.id,
      is_deleted: files.is_deleted,
      needs_review: files.needs_review,
      tag_count: files.tag_count,
      allowed,
    })
    .from(sql`json_each(${given.list}) AS j`)
    .crossJoin(files)
    .where(eq(files.id, sql`unhex(j.value)`)),
)

/** A file as an undo finds it. */
export interface FileState {
  rid: number
  id: string
  is_deleted: boolean
  needs_review: boolean
  tag_count: number
  /** Whether the user may edit it. */
  allowed: boolean
}

/** Returns those of the files that exist, by their ids. */
export function fileStates(db: Db, user: User, ids: Iterable<string>): Map<string, FileState> {
  const list = JSON.stringify([...new Set(ids)].map((id) => id.replaceAll('-', '')))
  const rows = statesFor(user, 'edit').all(db, { list, user: user.id })
  return new Map(rows.map((file) => [file.id, file]))
}

/** Returns the row numbers of those of the tags that exist, by their ids. */
export function tagRidsById(db: Db, ids: Iterable<string>): Map<string, number> {
  const list = JSON.stringify([...new Set(ids)].map((id) => id.replaceAll('-', '')))
  const listed = sql`(SELECT unhex(value) FROM json_each(${list}))`
  const rows = db.select({ id: tags.id, rid: tags.rid }).from(tags).where(inArray(tags.id, listed))
  return new Map(rows.all().map((tag) => [tag.id, tag.rid]))
}
