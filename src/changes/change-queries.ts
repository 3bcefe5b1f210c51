import { and, asc, eq, gt, inArray, isNotNull, lte, or, sql } from 'drizzle-orm'
import type { AuditAction } from '../audit/details.ts'
import type { Db } from '../db/client.ts'
import { asLimit, prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { auditLog } from '../db/schema/audit.ts'
import { longChanges } from '../db/schema/background.ts'
import { pools } from '../db/schema/pools.ts'
import { sessions, users } from '../db/schema/users.ts'

const LAST = sql<number>`ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'audit_log'), 0)`

const looked = prepared({ sessions: 'text', now: sessions.expires_at }, (db, given) =>
  reading(
    {
      session_id: sql<number>`${sessions.id}`.as('session_id'),
      id: users.id,
      name: users.name,
      is_admin: users.is_admin,
      can_create: users.can_create,
      last: LAST.as('last'),
      under_way: sql<number>`(SELECT count(*) FROM ${longChanges})`.as('under_way'),
    },
    (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.sessions}) AS j`)
        .crossJoin(sessions)
        .innerJoin(users, eq(users.id, sessions.user_id))
        .where(
          and(
            eq(sessions.id, sql`j.value`),
            gt(sessions.expires_at, given.now),
            eq(users.is_blocked, false),
          ),
        ),
  ),
)

/** A session that is alive, with its user as they are now, and the state of the library. */
export type Look = ReturnType<typeof lookAround>[number]

/**
 * Returns those of the sessions that are alive. Each also has the `last` entry of the audit log and how many long
 * changes are `under_way`, so that one statement tells everything about all who wait.
 */
export function lookAround(db: Db, session_ids: number[], now: number) {
  return looked.all(db, { sessions: JSON.stringify(session_ids), now })
}

/** Actions whose details say who could see the object before, or who sees a change. */
const WITH_DETAILS: AuditAction[] = [
  'acl_change',
  'file_edit',
  'file_tag_add',
  'file_tag_remove',
  'file_tag_replace',
  'file_merge',
  'file_permanent_delete',
  'tag_edit',
  'tag_delete',
  'tag_merge',
  'category_edit',
  'category_delete',
  'pool_edit',
  'pool_delete',
  'user_role_change',
]

const written = prepared({ after: auditLog.id, last: auditLog.id, limit: 'number' }, (db, given) =>
  reading(
    {
      id: auditLog.id,
      action: auditLog.action,
      object_type: auditLog.object_type,
      object_id: auditLog.object_id,
      details: sql<
        string | null
      >`CASE WHEN ${inArray(auditLog.action, WITH_DETAILS)} THEN ${auditLog.details} END`.as(
        'details',
      ),
    },
    (fields) =>
      db
        .select(fields)
        .from(auditLog)
        .where(
          and(
            gt(auditLog.id, given.after),
            lte(auditLog.id, given.last),
            or(isNotNull(auditLog.object_type), eq(auditLog.action, 'user_role_change')),
          ),
        )
        .orderBy(asc(auditLog.id))
        .limit(asLimit(given.limit)),
  ),
)

/** An entry of the audit log about an object, or about the rights of a user. */
export type WrittenEntry = ReturnType<typeof writtenBetween>[number]

/** Returns entries after one, up to another one, the oldest first. */
export function writtenBetween(db: Db, range: { after: number; last: number; limit: number }) {
  return written.all(db, range)
}

const oldest = prepared({}, (db) =>
  reading({ id: auditLog.id }, (fields) =>
    db.select(fields).from(auditLog).orderBy(asc(auditLog.id)).limit(1),
  ),
)

/** Returns the oldest entry that the audit log still has, or undefined when it is empty. */
export function oldestEntry(db: Db): number | undefined {
  return oldest.get(db, {})?.id
}

const numbered = prepared({ rids: 'text' }, (db, given) =>
  reading({ id: pools.id }, (fields) =>
    db
      .select(fields)
      .from(pools)
      .where(sql`${pools.rid} IN (SELECT value FROM json_each(${given.rids}))`),
  ),
)

/** Returns the ids of pools by their row numbers. */
export function poolIds(db: Db, rids: number[]): string[] {
  return numbered.all(db, { rids: JSON.stringify(rids) }).map(({ id }) => id)
}
