import { and, count, desc, eq, getTableColumns, gt, lte, ne, sql } from 'drizzle-orm'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { auditLog } from '../db/schema/audit.ts'
import { sessions, users } from '../db/schema/users.ts'
import type { Tx } from '../db/write.ts'

/** How often the last activity of a session is written at most, in milliseconds. */
export const ACTIVITY_INTERVAL = 60_000

const USER = {
  id: users.id,
  name: users.name,
  is_admin: users.is_admin,
  can_create: users.can_create,
}

const sessionSecret = prepared({ session_id: sessions.id, now: sessions.expires_at }, (db, given) =>
  reading({ ...USER, last_activity: sessions.last_activity, nonce: sessions.nonce }, (fields) =>
    db
      .select(fields)
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.user_id))
      .where(
        and(
          eq(sessions.id, given.session_id),
          gt(sessions.expires_at, given.now),
          eq(users.is_blocked, false),
        ),
      ),
  ),
)

/**
 * Returns the user of a live session, with their present rights, its last activity, and the secret that verifies the
 * claim of one that is named without its user.
 */
export function findSessionSecret(
  db: Db,
  options: { session_id: number; now: number },
): { user: User; last_activity: number; nonce: Uint8Array } | undefined {
  const row = sessionSecret.get(db, options)
  if (!row) return undefined
  const { last_activity, nonce, ...user } = row
  return { user, last_activity, nonce }
}

/** Does the same, and returns undefined when the session is not that of `user_id`. */
export function findSessionUser(
  db: Db,
  { user_id, session_id, now }: { user_id: number; session_id: number; now: number },
): { user: User; last_activity: number } | undefined {
  const found = findSessionSecret(db, { session_id, now })
  return found?.user.id === user_id ? found : undefined
}

const touched = prepared({ id: sessions.id, now: sessions.last_activity }, (db, given) =>
  db.update(sessions).set({ last_activity: given.now }).where(eq(sessions.id, given.id)),
)

export function touchSession(db: Db, id: number, now: number): void {
  touched.run(db, { id, now })
}

const activeUser = prepared({ id: users.id }, (db, given) =>
  reading(USER, (fields) =>
    db
      .select(fields)
      .from(users)
      .where(and(eq(users.id, given.id), eq(users.is_blocked, false))),
  ),
)

/** Returns the user, or undefined when blocked or missing. */
export function findActiveUser(db: Db, id: number): User | undefined {
  return activeUser.get(db, { id })
}

const epochOf = prepared({ id: users.id }, (db, given) =>
  reading({ epoch: users.epoch }, (fields) =>
    db.select(fields).from(users).where(eq(users.id, given.id)),
  ),
)

/** Returns the epoch of a user, which changes with a block and with each new password. */
export function findEpoch(db: Db, id: number): number {
  return epochOf.get(db, { id })!.epoch
}

const ACCOUNT = {
  id: users.id,
  name: users.name,
  password_hash: users.password_hash,
  is_blocked: users.is_blocked,
}

export type Account = Pick<typeof users.$inferSelect, keyof typeof ACCOUNT>

export function findAccount(db: Db, id: number): Account | undefined {
  const present = and(eq(users.id, id), eq(users.is_deleted, false))
  return db.first(reading(ACCOUNT, (fields) => db.select(fields).from(users).where(present)))
}

const accountByName = prepared({ name: users.name }, (db, given) =>
  reading(ACCOUNT, (fields) =>
    db
      .select(fields)
      .from(users)
      .where(and(eq(users.name, given.name), eq(users.is_deleted, false))),
  ),
)

/** `name` is NFC and trimmed. */
export function findAccountByName(db: Db, name: string): Account | undefined {
  return accountByName.get(db, { name })
}

export function hasUsers(db: Db): boolean {
  return (
    db.first(reading({ id: users.id }, (fields) => db.select(fields).from(users).limit(1))) !==
    undefined
  )
}

/** Returns the id of the new admin. */
export function insertAdmin(
  tx: Tx,
  account: Pick<typeof users.$inferInsert, 'name' | 'password_hash'>,
): number {
  const admin = { ...account, is_admin: true, can_create: true, is_blocked: false }
  return tx.first(
    reading({ id: users.id }, (fields) => tx.insert(users).values(admin).returning(fields)),
  )!.id
}

/** Deletes the last audit entry that this write has added. */
export function deleteLastEntry(tx: Tx): void {
  tx.execute(tx.delete(auditLog).where(eq(auditLog.id, sql`last_insert_rowid()`)))
}

export type SessionRow = typeof sessions.$inferSelect & { user_name: string; is_blocked: boolean }

const SESSION = {
  ...getTableColumns(sessions),
  user_name: users.name,
  is_blocked: users.is_blocked,
}

/** Returns a session that has not expired. */
export function findSession(db: Db, id: number, now: number): SessionRow | undefined {
  return db.first(
    reading(SESSION, (fields) =>
      db
        .select(fields)
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.user_id))
        .where(and(eq(sessions.id, id), gt(sessions.expires_at, now))),
    ),
  )
}

/** What the tokens of a session are made from, and how long they live. */
export type OpenedSession = Pick<
  SessionRow,
  'id' | 'user_id' | 'generation' | 'nonce' | 'expires_at'
>

/** Opens a session with its first refresh token and returns it. */
export function createSession(
  tx: Tx,
  session: Pick<SessionRow, 'user_id' | 'user_agent' | 'nonce' | 'expires_at'>,
): OpenedSession {
  const { now } = tx
  return tx.first(
    reading(
      {
        id: sessions.id,
        user_id: sessions.user_id,
        generation: sessions.generation,
        nonce: sessions.nonce,
        expires_at: sessions.expires_at,
      },
      (fields) =>
        tx
          .insert(sessions)
          .values({
            ...session,
            generation: 1,
            rotated_at: now,
            started_at: now,
            last_activity: now,
          })
          .returning(fields),
    ),
  )!
}

/** Moves a session on to its next refresh token; returns false when `generation` is not the live one. */
export function rotateSession(
  tx: Tx,
  options: { id: number; generation: number; expires_at: number },
): boolean {
  const { id, generation, expires_at } = options
  const { now } = tx
  const { last_activity } = sessions
  const changed = tx.execute(
    tx
      .update(sessions)
      .set({
        generation: sql`${sessions.generation} + 1`,
        rotated_at: now,
        expires_at,
        last_activity: sql`iif(${now} - ${last_activity} < ${ACTIVITY_INTERVAL}, ${last_activity}, ${now})`,
      })
      .where(and(eq(sessions.id, id), eq(sessions.generation, generation))),
  )
  return changed === 1
}

/** Returns a page of a user's live sessions, the newest first, and the total. */
export function listSessions(
  db: Db,
  options: { user_id: number; now: number; offset: number; limit: number },
): { rows: SessionRow[]; total: number } {
  const { user_id, now, offset, limit } = options
  const live = and(eq(sessions.user_id, user_id), gt(sessions.expires_at, now))
  const page = reading(SESSION, (fields) =>
    db
      .select(fields)
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.user_id))
      .where(live)
      .orderBy(desc(sessions.id))
      .limit(limit)
      .offset(offset),
  )
  const counted = db.first(
    reading({ total: count() }, (fields) => db.select(fields).from(sessions).where(live)),
  )
  return { rows: db.rows(page), total: counted?.total ?? 0 }
}

/** Ends a session at once, and with it its tokens. */
export function deleteSession(tx: Tx, id: number): void {
  tx.execute(tx.delete(sessions).where(eq(sessions.id, id)))
}

/** Ends all sessions of a user, or all but one, and returns how many were ended. */
export function deleteSessions(tx: Tx, user_id: number, except?: number): number {
  const others = except === undefined ? undefined : ne(sessions.id, except)
  return tx.execute(tx.delete(sessions).where(and(eq(sessions.user_id, user_id), others)))
}

export function removeExpiredSessions(tx: Tx): void {
  tx.execute(tx.delete(sessions).where(lte(sessions.expires_at, tx.now)))
}
