import type { Db } from '../db/client.ts'
import { AppError } from '../errors.ts'
import type { User } from './schema.ts'

interface UserRow {
  id: number
  name: string
  is_admin: number
  can_create: number
  is_blocked: number
}

const USER = 'SELECT id, name, is_admin, can_create, is_blocked FROM users'

function toUser(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    is_admin: row.is_admin === 1,
    can_create: row.can_create === 1,
    is_blocked: row.is_blocked === 1,
  }
}

/** Returns a user. Throws AppError not_found when there is no such user. */
export function getUser(db: Db, id: number): User {
  const row = db.get<UserRow>(`${USER} WHERE id = ?`, id)
  if (!row) throw new AppError('not_found', 'There is no such user')
  return toUser(row)
}

/** Returns a page of users, ordered by id, and how many users there are. */
export function listUsers(
  db: Db,
  options: { offset: number; limit: number },
): { items: User[]; total: number } {
  const rows = db.all<UserRow>(
    `${USER} ORDER BY id LIMIT ? OFFSET ?`,
    options.limit,
    options.offset,
  )
  const count = db.get<{ total: number }>('SELECT count(*) AS total FROM users')
  return { items: rows.map(toUser), total: count!.total }
}

/** Adds a user and returns it. Throws AppError conflict when the name is taken. */
export function insertUser(
  db: Db,
  user: { name: string; password_hash: string; is_admin: boolean; can_create: boolean },
): User {
  requireFreeName(db, user.name)
  const row = db.get<UserRow>(
    `INSERT INTO users (name, password_hash, is_admin, can_create, is_blocked)
     VALUES (?, ?, ?, ?, 0) RETURNING id, name, is_admin, can_create, is_blocked`,
    user.name,
    user.password_hash,
    user.is_admin ? 1 : 0,
    user.can_create ? 1 : 0,
  )
  return toUser(row!)
}

/** Gives a user another name. Throws AppError conflict when it is taken. */
export function renameUser(db: Db, id: number, name: string): void {
  requireFreeName(db, name)
  db.run('UPDATE users SET name = ? WHERE id = ?', name, id)
}

/** Gives a user another password. */
export function setPassword(db: Db, id: number, password_hash: string): void {
  db.run('UPDATE users SET password_hash = ? WHERE id = ?', password_hash, id)
}

/** Writes the rights of a user. */
export function setRights(db: Db, user: Omit<User, 'name'>): void {
  db.run(
    'UPDATE users SET is_admin = ?, can_create = ?, is_blocked = ? WHERE id = ?',
    user.is_admin ? 1 : 0,
    user.can_create ? 1 : 0,
    user.is_blocked ? 1 : 0,
    user.id,
  )
}

/** Throws AppError conflict unless there is an admin other than `id` who is not blocked. */
export function requireOtherAdmin(db: Db, id: number): void {
  const other = db.get('SELECT 1 FROM users WHERE is_admin = 1 AND is_blocked = 0 AND id <> ?', id)
  if (!other) throw new AppError('conflict', 'This is the last admin who is not blocked')
}

const CREATED = ['files', 'tags', 'categories', 'pools'] as const

/** Passes everything that a user created to another user, and returns how many of each kind. */
export function handOver(db: Db, from: number, to: number): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const table of CREATED) {
    counts[table] = db.run(`UPDATE ${table} SET creator_id = ? WHERE creator_id = ?`, to, from)
  }
  return counts
}

/** Deletes a user who no longer has any objects, with their ACL entries, sessions and views. */
export function deleteUser(db: Db, id: number): void {
  db.run('DELETE FROM users WHERE id = ?', id)
}

function requireFreeName(db: Db, name: string): void {
  if (db.get('SELECT 1 FROM users WHERE name = ?', name)) {
    throw new AppError('conflict', 'Another user has this name')
  }
}
