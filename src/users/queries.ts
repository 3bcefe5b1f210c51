import { and, asc, count, eq, ne } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { categories } from '../db/schema/categories.ts'
import { files } from '../db/schema/files.ts'
import { pools } from '../db/schema/pools.ts'
import { tags } from '../db/schema/tags.ts'
import { users } from '../db/schema/users.ts'
import type { Tx } from '../db/write.ts'
import { AppError } from '../errors.ts'
import type { User } from './schema.ts'

const USER = {
  id: users.id,
  name: users.name,
  is_admin: users.is_admin,
  can_create: users.can_create,
  is_blocked: users.is_blocked,
}

const { id, name, password_hash, is_admin, can_create, is_blocked } = users

const byId = prepared({ id }, (db, given) => db.select(USER).from(users).where(eq(id, given.id)))

/** Returns a user. Throws AppError not_found when there is no such user. */
export function getUser(db: Db, id: number): User {
  const user = byId.get(db, { id })
  if (!user) throw new AppError('not_found', 'There is no such user')
  return user
}

/** Returns a page of users, ordered by id, and how many users there are. */
export function listUsers(
  db: Db,
  options: { offset: number; limit: number },
): { items: User[]; total: number } {
  const { offset, limit } = options
  const page = db.select(USER).from(users).orderBy(asc(users.id)).limit(limit).offset(offset)
  const counted = db.select({ total: count() }).from(users).get()
  return { items: page.all(), total: counted?.total ?? 0 }
}

const inserted = prepared({ name, password_hash, is_admin, can_create, is_blocked }, (db, given) =>
  db.insert(users).values(given).returning(USER),
)

/** Adds a user and returns it. Throws AppError conflict when the name is taken. */
export function insertUser(
  tx: Tx,
  user: { name: string; password_hash: string; is_admin: boolean; can_create: boolean },
): User {
  requireFreeName(tx, user.name)
  return inserted.get(tx, { ...user, is_blocked: false })!
}

const renamed = prepared({ id, name }, (db, given) =>
  db.update(users).set({ name: given.name }).where(eq(id, given.id)),
)

/** Gives a user another name. Throws AppError conflict when it is taken. */
export function renameUser(tx: Tx, id: number, name: string): void {
  requireFreeName(tx, name)
  renamed.run(tx, { id, name })
}

/** Gives a user another password. */
export function setPassword(tx: Tx, id: number, password_hash: string): void {
  tx.update(users).set({ password_hash }).where(eq(users.id, id)).run()
}

const entitled = prepared({ id, is_admin, can_create, is_blocked }, (db, { id, ...given }) =>
  db.update(users).set(given).where(eq(users.id, id)),
)

/** Writes the rights of a user. */
export function setRights(tx: Tx, user: Omit<User, 'name'>): void {
  entitled.run(tx, user)
}

/** Throws AppError conflict unless there is an admin other than `id` who is not blocked. */
export function requireOtherAdmin(db: Db, id: number): void {
  const other = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(is_admin, true), eq(is_blocked, false), ne(users.id, id)))
    .get()
  if (!other) throw new AppError('conflict', 'This is the last admin who is not blocked')
}

const CREATED = { files, tags, categories, pools }

/** Passes everything that a user created to another user, and returns how many of each kind. */
export function handOver(tx: Tx, from: number, to: number): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [name, table] of Object.entries(CREATED)) {
    counts[name] = tx.changes(
      tx.update(table).set({ creator_id: to }).where(eq(table.creator_id, from)),
    )
  }
  return counts
}

/** Deletes a user who no longer has any objects, with their ACL entries, sessions and views. */
export function deleteUser(tx: Tx, id: number): void {
  tx.delete(users).where(eq(users.id, id)).run()
}

const named = prepared({ name }, (db, given) =>
  db.select({ id }).from(users).where(eq(name, given.name)),
)

function requireFreeName(db: Db, name: string): void {
  if (named.get(db, { name })) throw new AppError('conflict', 'Another user has this name')
}
