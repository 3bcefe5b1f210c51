import { and, asc, count, eq, inArray, ne, sql } from 'drizzle-orm'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { acl } from '../db/schema/acl.ts'
import { favourites, files } from '../db/schema/files.ts'
import { pools } from '../db/schema/pools.ts'
import { categories, tags } from '../db/schema/tags.ts'
import { users } from '../db/schema/users.ts'
import { fileViewDays, poolViewDays } from '../db/schema/views.ts'
import { listed } from '../db/sql.ts'
import { compareText, fold } from '../db/text.ts'
import type { Tx } from '../db/write.ts'
import type { Person, User } from './schema.ts'

const USER = {
  id: users.id,
  name: users.name,
  is_admin: users.is_admin,
  can_create: users.can_create,
  is_blocked: users.is_blocked,
}

const { id, name, password_hash, is_admin, can_create, is_blocked, is_deleted } = users

const byId = prepared({ id }, (db, given) =>
  reading(USER, (fields) =>
    db
      .select(fields)
      .from(users)
      .where(and(eq(id, given.id), eq(is_deleted, false))),
  ),
)

/** Throws AppError not_found when there is no such user. */
export function getUser(db: Db, id: number): User {
  const user = byId.get(db, { id })
  if (!user) throw new AppError('not_found', 'There is no such user')
  return user
}

const firstFile = prepared({ creator_id: files.creator_id }, (db, { creator_id }) =>
  reading({ rid: files.rid }, (fields) =>
    db.select(fields).from(files).where(eq(files.creator_id, creator_id)).limit(1),
  ),
)

/** Returns whether a user has added any file, also one that is in the trash. */
export function hasFiles(db: Db, creator_id: number): boolean {
  return firstFile.get(db, { creator_id }) !== undefined
}

/** Returns a page of users, ordered by id, and the total. */
export function listUsers(
  db: Db,
  options: { offset: number; limit: number },
): { items: User[]; total: number } {
  const { offset, limit } = options
  const present = eq(is_deleted, false)
  const page = reading(USER, (fields) =>
    db.select(fields).from(users).where(present).orderBy(asc(users.id)).limit(limit).offset(offset),
  )
  const counted = db.first(
    reading({ total: count() }, (fields) => db.select(fields).from(users).where(present)),
  )
  return { items: db.rows(page), total: counted?.total ?? 0 }
}

const ALL_PEOPLE = 1000

const unblocked = prepared({}, (db) =>
  reading({ id, name }, (fields) => db.select(fields).from(users).where(eq(is_blocked, false))),
)

/** Returns the first 1,000 users who are not blocked, by name, then id. */
export function listPeople(db: Db): Person[] {
  return unblocked
    .all(db, {})
    .map((person) => ({ person, key: fold(person.name) }))
    .sort((a, b) => compareText(a.key, b.key) || a.person.id - b.person.id)
    .slice(0, ALL_PEOPLE)
    .map(({ person }) => person)
}

const inserted = prepared({ name, password_hash, is_admin, can_create, is_blocked }, (db, given) =>
  reading(USER, (fields) => db.insert(users).values(given).returning(fields)),
)

const unblockedAmong = prepared({ ids: 'text' }, (db, given) =>
  reading(USER, (fields) =>
    db
      .select(fields)
      .from(users)
      .where(and(inArray(id, listed(given.ids)), eq(is_blocked, false))),
  ),
)

/** Returns the users with these ids, in this order. Throws not_found for an unknown or a blocked one. */
export function getUnblocked(db: Db, ids: number[]): User[] {
  const found = unblockedAmong.all(db, { ids: JSON.stringify(ids) })
  const byId = new Map(found.map((user) => [user.id, user]))
  return ids.map((id) => {
    const user = byId.get(id)
    if (!user) throw new AppError('not_found', `There is no user ${id} who may sign in`)
    return user
  })
}

/** Adds a user and returns it. Throws AppError conflict when the name is taken. */
export function insertUser(
  tx: Tx,
  user: Omit<User, 'id' | 'is_blocked'> & { password_hash: string; is_blocked?: boolean },
): User {
  requireFreeName(tx, user.name)
  return inserted.get(tx, { is_blocked: false, ...user })!
}

const renamed = prepared({ id, name }, (db, given) =>
  db.update(users).set({ name: given.name }).where(eq(id, given.id)),
)

/** Throws AppError conflict when the name is taken. */
export function renameUser(tx: Tx, id: number, name: string): void {
  requireFreeName(tx, name)
  renamed.run(tx, { id, name })
}

export function setPassword(tx: Tx, id: number, password_hash: string): void {
  tx.execute(tx.update(users).set({ password_hash }).where(eq(users.id, id)))
}

const entitled = prepared({ id, is_admin, can_create, is_blocked }, (db, { id, ...given }) =>
  db.update(users).set(given).where(eq(users.id, id)),
)

export function setRights(tx: Tx, user: Omit<User, 'name'>): void {
  entitled.run(tx, user)
}

/** Throws AppError conflict unless there is an admin other than `id` who is not blocked. */
export function requireOtherAdmin(db: Db, id: number): void {
  const other = db.first(
    reading({ id: users.id }, (fields) =>
      db
        .select(fields)
        .from(users)
        .where(and(eq(is_admin, true), eq(is_blocked, false), ne(users.id, id))),
    ),
  )
  if (!other) throw new AppError('conflict', 'This is the last admin who is not blocked')
}

const CREATED = { files, tags, categories, pools } as const
/** How many objects of each kind. */
export type HandedOver = Record<keyof typeof CREATED, number>

const handedOver = Object.entries(CREATED).map(([kind, table]) => {
  const { creator_id, rid } = table
  const given = { from: creator_id, to: creator_id, limit: 'number' } as const
  const statement = prepared(given, (db, { from, to, limit }) => {
    const first = sql`(SELECT ${rid} FROM ${table} WHERE ${creator_id} = ${from} ORDER BY ${rid} LIMIT ${limit})`
    return db.update(table).set({ creator_id: to }).where(inArray(rid, first))
  })
  return [kind as keyof HandedOver, statement] as const
})

/** Passes the first objects that a user created to another user, and returns how many of each kind. */
export function handOverFirst(tx: Tx, from: number, to: number, limit: number): HandedOver {
  const counts = { files: 0, tags: 0, categories: 0, pools: 0 }
  let left = limit
  for (const [kind, statement] of handedOver) {
    if (left === 0) break
    counts[kind] = statement.run(tx, { from, to, limit: left })
    left -= counts[kind]
  }
  return counts
}

/** Hides a user who is being deleted: the user can't be found or sign in, and the name is free. */
export function hideUser(tx: Tx, id: number): void {
  tx.execute(tx.update(users).set({ is_blocked: true, is_deleted: true }).where(eq(users.id, id)))
}

const OWNED = [
  { table: acl, key: [acl.object_type, acl.object_rid, acl.pool_rid] },
  { table: fileViewDays, key: [fileViewDays.file_rid, fileViewDays.day] },
  { table: poolViewDays, key: [poolViewDays.pool_rid, poolViewDays.day] },
  { table: favourites, key: [favourites.file_rid] },
]

const disowned = OWNED.map(({ table, key }) => {
  const { user_id } = table
  const columns = sql.join(key, sql`, `)
  return prepared({ user_id, limit: 'number' }, (db, given) =>
    db.delete(table).where(
      and(
        eq(user_id, given.user_id),
        sql`(${columns}) IN (
            SELECT ${columns} FROM ${table} WHERE ${user_id} = ${given.user_id} LIMIT ${given.limit})`,
      ),
    ),
  )
})

/** Deletes the first access entries, views and favourites of a user, and returns how many. */
export function deleteFirstOwned(tx: Tx, user_id: number, limit: number): number {
  let left = limit
  for (const statement of disowned) left -= statement.run(tx, { user_id, limit: left })
  return limit - left
}

/** Deletes a user who no longer has any objects, access entries, views or favourites. */
export function deleteUser(tx: Tx, id: number): void {
  tx.execute(tx.delete(users).where(eq(users.id, id)))
}

const named = prepared({ name }, (db, given) =>
  reading({ id }, (fields) =>
    db
      .select(fields)
      .from(users)
      .where(and(eq(name, given.name), eq(is_deleted, false))),
  ),
)

function requireFreeName(db: Db, name: string): void {
  if (named.get(db, { name })) throw new AppError('conflict', 'Another user has this name')
}
