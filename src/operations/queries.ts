import { and, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import { preparedWithAccess } from '../acl/access.ts'
import type { AuditAction, Details } from '../audit/details.ts'
import { withLong } from '../audit/long-texts.ts'
import type { ObjectType } from '../base/enums.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { asLimit, prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { auditLog } from '../db/schema/audit.ts'
import { files } from '../db/schema/files.ts'
import { tags } from '../db/schema/tags.ts'

/** An entry of an operation, with its details read. */
export interface Entry<Action extends AuditAction = AuditAction> {
  id: number
  action: Action
  object: { type: ObjectType; id: string } | null
  details: Details[Action]
}

interface OperationHead {
  user_id: number
  performed_at: number
}

/** Returns the user and the end of an operation, or undefined when there is none with that number. */
export function findOperation(db: Db, operation: number): OperationHead | undefined {
  const { user_id, performed_at } = auditLog
  return db.first(
    reading({ user_id, performed_at }, (fields) =>
      db
        .select(fields)
        .from(auditLog)
        .where(eq(auditLog.operation, operation))
        .orderBy(desc(auditLog.id))
        .limit(1),
    ),
  )
}

/** Returns which of these files, which may be gone, a user has added, as far as the log goes back. */
export function filesMadeBy(db: Db, user_id: number, ids: string[]): Set<string> {
  const { object_id, action } = auditLog
  const named = sql`(SELECT unhex(replace(value, '-', '')) FROM json_each(${JSON.stringify(ids)}))`
  const rows = db.rows(
    reading({ id: object_id }, (fields) =>
      db
        .select(fields)
        .from(auditLog)
        .where(
          and(
            sql`${object_id} IN ${named}`,
            eq(action, 'file_create'),
            eq(auditLog.user_id, user_id),
          ),
        ),
    ),
  )
  return new Set(rows.map(({ id }) => id!))
}

interface Stretch {
  before: number
  limit: number
  /** The most bytes of details; a single entry may have more. */
  bytes: number
}

/** Returns entries of an operation, and whether no more are left. */
export function listEntries(
  db: Db,
  operation: number,
  { before, limit, bytes }: Stretch,
): { entries: Entry[]; areAll: boolean } {
  const sizes = sizesOf.all(db, { operation, before, limit: limit + 1 })
  let sum = 0
  const end = sizes.findIndex((row, index) => {
    sum += row.size
    return index === limit || (index > 0 && sum > bytes)
  })
  const count = end < 0 ? sizes.length : end
  const entries = entriesOf.all(db, { operation, before, limit: count }).map((row) => ({
    id: row.id,
    action: row.action as AuditAction,
    object:
      row.object_id === null ? null : { type: row.object_type as ObjectType, id: row.object_id },
    details: withLong(
      db,
      row.user_id,
      JSON.parse(row.details ?? '{}'),
    ) as unknown as Entry['details'],
  }))
  return { entries, areAll: end < 0 }
}

const before = { operation: auditLog.operation, before: auditLog.id, limit: 'number' } as const

const sizesOf = prepared(before, (db, given) =>
  reading(
    {
      size: sql<number>`coalesce(
        octet_length(${auditLog.details}) + coalesce(${auditLog.details} ->> '$.long.bytes', 0), 0)`.as(
        'size',
      ),
    },
    (fields) =>
      db
        .select(fields)
        .from(auditLog)
        .where(and(eq(auditLog.operation, given.operation), lt(auditLog.id, given.before)))
        .orderBy(desc(auditLog.id))
        .limit(asLimit(given.limit)),
  ),
)

const entriesOf = prepared(before, (db, given) => {
  const { id, user_id, action, object_type, object_id, details } = auditLog
  return reading({ id, user_id, action, object_type, object_id, details }, (fields) =>
    db
      .select(fields)
      .from(auditLog)
      .where(and(eq(auditLog.operation, given.operation), lt(id, given.before)))
      .orderBy(desc(id))
      .limit(asLimit(given.limit)),
  )
})

const statesFor = preparedWithAccess('file', { list: 'text' }, (db, given, allowed) =>
  reading(
    {
      rid: files.rid,
      id: files.id,
      is_deleted: files.is_deleted,
      needs_review: files.needs_review,
      tag_count: files.tag_count,
      allowed,
    },
    (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.list}) AS j`)
        .crossJoin(files)
        .where(eq(files.id, sql`unhex(j.value)`)),
  ),
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

/** Returns the files that exist, by their ids. */
export function fileStates(db: Db, user: User, ids: Iterable<string>): Map<string, FileState> {
  const list = JSON.stringify([...new Set(ids)].map((id) => id.replaceAll('-', '')))
  const rows = statesFor(user, 'edit').all(db, { list, user: user.id })
  return new Map(rows.map((file) => [file.id, file]))
}

const replacedSince = prepared({ id: auditLog.id, file: auditLog.object_id }, (db, given) => {
  const { id, action, object_id } = auditLog
  const isLater = and(eq(object_id, given.file), eq(action, 'file_replace'), gt(id, given.id))
  return reading({ id }, (fields) => db.select(fields).from(auditLog).where(isLater).limit(1))
})

/** Returns whether a file has got another content since an entry. */
export function isReplacedSince(db: Db, entry: { id: number; file: string }): boolean {
  return replacedSince.get(db, { id: entry.id, file: entry.file }) !== undefined
}

/**
 * Returns which of the tags were recreated by the operation of an entry as it undid a merge. Undoing that operation
 * merges them again, no matter who may edit the files that carry them.
 */
export function tagsMergedAgain(db: Db, entry: number, ids: Iterable<string>): Set<string> {
  const { id, action, object_id, operation, details } = auditLog
  const list = JSON.stringify([...new Set(ids)].map((one) => one.replaceAll('-', '')))
  const ofEntry = db.select({ operation }).from(auditLog).where(eq(id, entry))
  const where = and(
    inArray(object_id, sql`(SELECT unhex(value) FROM json_each(${list}))`),
    eq(action, 'tag_create'),
    sql`${details} ->> '$.merged_into' IS NOT NULL`,
    // An operation may have very many entries, and a tag has few.
    sql`+${operation} = ${ofEntry}`,
  )
  const recreated = reading({ object_id }, (fields) =>
    db.select(fields).from(auditLog).where(where),
  )
  return new Set(db.rows(recreated).map((row) => row.object_id!))
}

/** Returns the row numbers of the tags that exist, by their ids. */
export function tagRidsById(db: Db, ids: Iterable<string>): Map<string, number> {
  const list = JSON.stringify([...new Set(ids)].map((id) => id.replaceAll('-', '')))
  const listed = sql`(SELECT unhex(value) FROM json_each(${list}))`
  const present = and(inArray(tags.id, listed), eq(tags.is_deleted, false))
  const found = reading({ id: tags.id, rid: tags.rid }, (fields) =>
    db.select(fields).from(tags).where(present),
  )
  return new Map(db.rows(found).map((tag) => [tag.id, tag.rid]))
}
