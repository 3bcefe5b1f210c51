import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { instant } from '../columns.ts'

/** Changes that have begun and are not finished; the last portion of a change deletes its row. */
export const longChanges = sqliteTable('long_changes', {
  id: integer().primaryKey({ autoIncrement: true }),
  kind: text().notNull(),
  /** What is changed, so that the same change is not begun twice. */
  subject: text().notNull().unique(),
  /** The user who requested it, stored by value, because a change outlives them. */
  user_id: integer().notNull(),
  user_name: text().notNull(),
  /** The number of its operation, once that has an audit entry. */
  operation: integer(),
  /** The remaining work, as JSON. */
  state: text().notNull(),
  started_at: instant().notNull(),
})
