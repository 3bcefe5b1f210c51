import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { bytes, instant, uuid } from '../columns.ts'
import { users } from './users.ts'

/** Users and objects are named by value, because an entry outlives them. */
export const auditLog = sqliteTable(
  'audit_log',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** 0 for what the server does on its own. */
    user_id: integer().notNull(),
    user_name: text().notNull(),
    action: text().notNull(),
    object_type: text(),
    object_id: uuid(),
    details: text(),
    performed_at: instant().notNull(),
    /** The number of the request, import or rule, among those of its user; older entries have none. */
    operation: integer(),
    /** Which fields the details have: see DETAILS_VERSION. */
    details_version: integer().notNull().default(1),
  },
  (t) => [
    index('audit_log_time').on(t.performed_at),
    index('audit_log_user').on(t.user_id, t.performed_at),
    index('audit_log_action').on(t.action, t.performed_at),
    index('audit_log_object_type').on(t.object_type, t.performed_at),
    index('audit_log_object').on(t.object_id, t.performed_at),
    index('audit_log_operation').on(t.operation).where(sql`operation IS NOT NULL`),
  ],
)

/**
 * Long texts that changes have replaced or removed; the entries about them contain their digests. They are deleted when
 * the changes may no longer be undone.
 */
export const auditTexts = sqliteTable(
  'audit_texts',
  {
    /** The user who made the change. */
    user_id: integer().notNull(),
    sha256: bytes().notNull(),
    /** JSON. */
    text: text().notNull(),
    bytes: integer().notNull(),
    /** When a change last referred to it. */
    written_at: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.user_id, t.sha256] }),
    index('audit_texts_time').on(t.written_at),
  ],
)

/** How much room a user's changes take in the log; a user who never changed anything has no row. */
export const userChanges = sqliteTable('user_changes', {
  user_id: integer()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The last day with a change, in days since 1970-01-01 UTC, and what the user has written on it, in bytes. */
  day: integer().notNull(),
  bytes: integer().notNull(),
  /** Bytes of the user's texts beside the log. Maintained by triggers. */
  text_bytes: integer().notNull(),
})
