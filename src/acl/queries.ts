import { and, eq, inArray, ne, notInArray, or, sql } from 'drizzle-orm'
import type { ObjectType } from '../base/enums.ts'
import { AppError, invalidFields } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { acl } from '../db/schema/acl.ts'
import { pools } from '../db/schema/pools.ts'
import { tags } from '../db/schema/tags.ts'
import { users } from '../db/schema/users.ts'
import type { Tx } from '../db/write.ts'
import { OBJECTS, preparedWithAccess, type Right } from './access.ts'
import type { Permission } from './schema.ts'

// A tag or pool that is being deleted no longer exists, and a pool that is being restored doesn't exist yet.
const THERE = { tag: eq(tags.is_deleted, false), pool: eq(pools.is_deleted, false) }
const isThere = (type: ObjectType) =>
  type in THERE ? THERE[type as keyof typeof THERE] : undefined

const find = (type: ObjectType) => {
  const table = OBJECTS[type]
  return prepared({ id: table.id }, (db, given) =>
    reading({ rid: table.rid, creator_id: table.creator_id }, (fields) =>
      db
        .select(fields)
        .from(table)
        .where(and(eq(table.id, given.id), isThere(type))),
    ),
  )
}
const FIND = {
  file: find('file'),
  tag: find('tag'),
  category: find('category'),
  pool: find('pool'),
}

/** Returns an object's row number and creator, or undefined when there is no such object. */
export function findObject(
  db: Db,
  type: ObjectType,
  id: string,
): { rid: number; creator_id: number } | undefined {
  return FIND[type].get(db, { id })
}

/**
 * Throws not_found when there is no such object. A missing object is reported before any right is checked, so a request
 * that names several objects looks for the later ones first.
 */
export function requireExists(db: Db, type: ObjectType, id: string): void {
  if (!findObject(db, type, id)) throw new AppError('not_found', `There is no such ${type}`)
}

const allowedAmong = (type: ObjectType) => {
  const table = OBJECTS[type]
  return preparedWithAccess(type, { list: 'text' }, (db, given, allowed) =>
    reading({ id: table.id }, (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.list}) AS j`)
        .crossJoin(table)
        .where(and(eq(table.id, sql`unhex(j.value)`), isThere(type), allowed.sql))
        .orderBy(sql`j.key`),
    ),
  )
}
const ALLOWED_AMONG = {
  file: allowedAmong('file'),
  tag: allowedAmong('tag'),
  category: allowedAmong('category'),
  pool: allowedAmong('pool'),
}

/** Returns the ids of those objects that exist and that the user has the right to. */
export function objectsAllowed(
  db: Db,
  user: User,
  type: ObjectType,
  right: Right,
  ids: string[],
): string[] {
  const list = JSON.stringify(ids.map((id) => id.replaceAll('-', '')))
  return ALLOWED_AMONG[type](user, right)
    .all(db, { list, user: user.id })
    .map((object) => object.id)
}

const entriesOf = prepared({ type: acl.object_type, rid: acl.object_rid }, (db, given) =>
  reading(
    {
      user_id: acl.user_id,
      user_name: sql<string>`${users.name}`.as('user_name'),
      can_view: acl.can_view,
      can_edit: acl.can_edit,
    },
    (fields) =>
      db
        .select(fields)
        .from(acl)
        .innerJoin(users, eq(users.id, acl.user_id))
        .where(
          and(
            eq(acl.object_type, given.type),
            eq(acl.object_rid, given.rid),
            eq(acl.pool_rid, 0),
            eq(users.is_deleted, false),
          ),
        )
        .orderBy(acl.user_id),
  ),
)

/** Returns the access entries of an object that were made by hand, ordered by user. */
export function listPermissions(db: Db, type: ObjectType, rid: number): Permission[] {
  return entriesOf.all(db, { type, rid })
}

/** What an entry is one for. */
export const ENTRY = [acl.user_id, acl.object_type, acl.object_rid, acl.pool_rid]

/** When what an entry lets somebody view was granted; to be set when it changes. */
export const SINCE = sql`iif(${acl.can_view}, ${acl.granted_at}, excluded.granted_at)`

/** Replaces all access entries of an object that were made by hand; the right to edit brings the right to view. */
export function replacePermissions(
  tx: Tx,
  { type, rid }: { type: ObjectType; rid: number },
  permissions: Omit<Permission, 'user_name'>[],
): void {
  const ids = permissions.map((entry) => entry.user_id)
  const byHand = and(eq(acl.object_type, type), eq(acl.object_rid, rid), eq(acl.pool_rid, 0))
  tx.execute(tx.delete(acl).where(and(byHand, notInArray(acl.user_id, ids))))
  for (const { user_id, can_view, can_edit } of permissions) {
    const rights = { can_view: can_view || can_edit, can_edit }
    const entry = { user_id, object_type: type, object_rid: rid, granted_at: tx.now, ...rights }
    const hasChanged = or(ne(acl.can_view, rights.can_view), ne(acl.can_edit, rights.can_edit))!
    tx.execute(
      tx
        .insert(acl)
        .values(entry)
        .onConflictDoUpdate({
          target: ENTRY,
          set: { ...rights, granted_at: SINCE },
          setWhere: hasChanged,
        }),
    )
  }
}

/** Gives a recreated object the entries that it had, for those users who still exist. */
export function restorePermissions(
  tx: Tx,
  object: { type: ObjectType; rid: number },
  permissions: Permission[],
): void {
  const known = knownUsers(
    tx,
    permissions.map((entry) => entry.user_id),
  )
  replacePermissions(
    tx,
    object,
    permissions.filter((entry) => known.has(entry.user_id)),
  )
}

/**
 * Returns the id of the user who owns what a user created: that user or, if they are gone, `heir`; if that one is gone
 * or is no admin, the oldest admin who is not blocked.
 */
export function heirOf(db: Db, creator_id: number, heir: Pick<User, 'id' | 'is_admin'>): number {
  const known = knownUsers(db, [creator_id, heir.id])
  if (known.has(creator_id)) return creator_id
  if (heir.is_admin && known.has(heir.id)) return heir.id
  const admin = db.first(
    reading({ id: users.id }, (fields) =>
      db
        .select(fields)
        .from(users)
        .where(and(eq(users.is_admin, true), eq(users.is_blocked, false)))
        .orderBy(users.id)
        .limit(1),
    ),
  )
  return admin?.id ?? heir.id
}

/** Returns those of the ids that belong to a user. */
function knownUsers(db: Db, ids: number[]): Set<number> {
  const listed = inArray(users.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`)
  const known = db.rows(
    reading({ id: users.id }, (fields) =>
      db
        .select(fields)
        .from(users)
        .where(and(listed, eq(users.is_deleted, false))),
    ),
  )
  return new Set(known.map((user) => user.id))
}

/** Throws a validation error that names those entries of the list in a request's `field` whose user doesn't exist. */
export function requireKnownUsers(db: Db, field: string, entries: { user_id: number }[]): void {
  const known = knownUsers(
    db,
    entries.map((entry) => entry.user_id),
  )
  const details = entries.flatMap(({ user_id }, index) =>
    known.has(user_id)
      ? []
      : [
          {
            field: `${field}.${index}.user_id`,
            message: `must be the id of a user; there is no user ${user_id}`,
          },
        ],
  )
  if (details.length > 0) throw invalidFields(details)
}
