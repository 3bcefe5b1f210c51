import type { Db } from '../db/client.ts'
import type { User } from '../user.ts'

/** The shortest time between two writes of a session's last activity, in milliseconds. */
export const ACTIVITY_INTERVAL = 60_000

const USER = 'u.id, u.name, u.is_admin, u.can_create'

interface UserRow {
  id: number
  name: string
  is_admin: number
  can_create: number
}

/** Returns the user of a live session, with their present rights, if that is `user_id`. */
export function findSessionUser(
  db: Db,
  options: { user_id: number; session_id: number; now: number },
): { user: User; last_activity: number } | undefined {
  const row = db.get<UserRow & { last_activity: number }>(
    `SELECT ${USER}, s.last_activity FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE s.id = ? AND s.user_id = ? AND s.expires_at > ? AND u.is_blocked = 0`,
    options.session_id,
    options.user_id,
    options.now,
  )
  return row && { user: toUser(row), last_activity: row.last_activity }
}

/** Returns a user, unless they are blocked. */
export function findActiveUser(db: Db, user_id: number): User | undefined {
  const row = db.get<UserRow>(
    `SELECT ${USER} FROM users u WHERE u.id = ? AND u.is_blocked = 0`,
    user_id,
  )
  return row && toUser(row)
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    is_admin: row.is_admin === 1,
    can_create: row.can_create === 1,
  }
}

export interface Account {
  id: number
  name: string
  password_hash: string
  is_blocked: number
}

/** Returns what a login checks. */
export function findAccount(db: Db, id: number): Account | undefined {
  return db.get('SELECT id, name, password_hash, is_blocked FROM users WHERE id = ?', id)
}

/** Returns what a login checks; `name` is NFC and trimmed. */
export function findAccountByName(db: Db, name: string): Account | undefined {
  return db.get('SELECT id, name, password_hash, is_blocked FROM users WHERE name = ?', name)
}

export interface SessionRow {
  id: number
  user_id: number
  user_name: string
  is_blocked: number
  user_agent: string
  nonce: Uint8Array
  generation: number
  rotated_at: number
  started_at: number
  expires_at: number
  last_activity: number
}

const SESSION = `SELECT s.*, u.name AS user_name, u.is_blocked
  FROM sessions s JOIN users u ON u.id = s.user_id`

/** Returns a session that has not expired. */
export function findSession(db: Db, id: number, now: number): SessionRow | undefined {
  return db.get(`${SESSION} WHERE s.id = ? AND s.expires_at > ?`, id, now)
}

/** Opens a session with its first refresh token and returns it. */
export function createSession(
  db: Db,
  session: {
    user_id: number
    user_agent: string
    nonce: Uint8Array
    now: number
    expires_at: number
  },
): { id: number; user_id: number; generation: number; nonce: Uint8Array } {
  return db.get(
    `INSERT INTO sessions
       (user_id, user_agent, nonce, generation, rotated_at, started_at, expires_at, last_activity)
     VALUES (?, ?, ?, 1, ?, ?, ?, ?)
     RETURNING id, user_id, generation, nonce`,
    session.user_id,
    session.user_agent,
    session.nonce,
    session.now,
    session.now,
    session.expires_at,
    session.now,
  )!
}

/** Moves a session on to its next refresh token; false when `generation` isn't the live one. */
export function rotateSession(
  db: Db,
  options: { id: number; generation: number; now: number; expires_at: number },
): boolean {
  const { id, generation, now, expires_at } = options
  const changed = db.run(
    `UPDATE sessions SET generation = generation + 1, rotated_at = ?, expires_at = ?,
       last_activity = iif(? - last_activity < ?, last_activity, ?)
     WHERE id = ? AND generation = ?`,
    now,
    expires_at,
    now,
    ACTIVITY_INTERVAL,
    now,
    id,
    generation,
  )
  return changed === 1
}

/** Returns a page of a user's live sessions, the newest first, and how many there are. */
export function listSessions(
  db: Db,
  options: { user_id: number; now: number; offset: number; limit: number },
): { rows: SessionRow[]; total: number } {
  const { user_id, now, offset, limit } = options
  const rows = db.all<SessionRow>(
    `${SESSION} WHERE s.user_id = ? AND s.expires_at > ? ORDER BY s.id DESC LIMIT ? OFFSET ?`,
    user_id,
    now,
    limit,
    offset,
  )
  const count = db.get<{ total: number }>(
    'SELECT count(*) AS total FROM sessions WHERE user_id = ? AND expires_at > ?',
    user_id,
    now,
  )
  return { rows, total: count!.total }
}

/** Ends a session and its tokens at once. */
export function deleteSession(db: Db, id: number): void {
  db.run('DELETE FROM sessions WHERE id = ?', id)
}

/** Ends all sessions of a user except `except`, and returns how many there were. */
export function deleteSessions(db: Db, user_id: number, except: number | null = null): number {
  return db.run('DELETE FROM sessions WHERE user_id = ? AND id IS NOT ?', user_id, except)
}

/** Deletes the expired sessions, which nobody can continue any more. */
export function removeExpiredSessions(db: Db, now: number): void {
  db.run('DELETE FROM sessions WHERE expires_at <= ?', now)
}
