import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { instant, uuid } from '../columns.ts'

/** Kept for ever: users and objects are named by value, because an entry outlives them. */
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
    /** The id of the first entry of the same request, import or rule; entries of before have none. */
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
