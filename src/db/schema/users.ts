import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
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
    /** Nobody can see the user any more. The user is blocked, and what they created is being passed to another user. */
    is_deleted: flag().notNull().default(false),
    /** Grows when the user is blocked and with each new password, which invalidates archive tokens. */
    epoch: integer().notNull().default(0),
  },
  (t) => [
    // A name is free again as soon as its user is deleted.
    uniqueIndex('users_name_unique').on(t.name).where(sql`is_deleted = 0`),
  ],
)

/** What the pages store for a user, apart from the row that every request reads. */
export const userSettings = sqliteTable('user_settings', {
  user_id: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** A JSON object. */
  settings: text().notNull(),
})

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

/** The networks from which a user has signed in. */
export const knownNetworks = sqliteTable(
  'known_networks',
  {
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** An IPv4 /24 or an IPv6 /48, such as `192.0.2.0/24`. */
    network: text().notNull(),
    /** When the user last signed in or refreshed a session from there. */
    seen_at: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.network] })],
)

/**
 * How many files each creator has, trashed ones included, and the total bytes of their contents. Maintained by
 * triggers; a user who never had a file has no row.
 */
export const usage = sqliteTable('usage', {
  user_id: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  file_count: integer().notNull(),
  bytes: integer().notNull(),
})
