import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { bytes, flag, instant } from '../columns.ts'

export const users = sqliteTable(
  'users',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text().notNull(),
    password_hash: text().notNull(),
    is_admin: flag().notNull(),
    can_create: flag().notNull(),
    is_blocked: flag().notNull(),
    /** Nobody finds the user any more, who is blocked, and what they created is passing to another. */
    is_deleted: flag().notNull().default(false),
  },
  (t) => [
    // A name is free again as soon as its user is deleted.
    uniqueIndex('users_name_unique').on(t.name).where(sql`is_deleted = 0`),
  ],
)

export const sessions = sqliteTable(
  'sessions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    user_agent: text().notNull(),
    /** Secret with which only this session's refresh tokens are signed. */
    nonce: bytes().notNull(),
    /** Number of the refresh token that is valid now; each rotation adds one. */
    generation: integer().notNull(),
    rotated_at: instant().notNull(),
    started_at: instant().notNull(),
    expires_at: instant().notNull(),
    last_activity: instant().notNull(),
  },
  (t) => [index('sessions_user').on(t.user_id), index('sessions_expiry').on(t.expires_at)],
)
