import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { instant } from '../columns.ts'

/** Changes that have begun and are not over; each row goes with the last portion of its change. */
export const longChanges = sqliteTable('long_changes', {
  id: integer().primaryKey({ autoIncrement: true }),
  kind: text().notNull(),
  /** What is changed, so that the same change is not begun twice. */
  subject: text().notNull().unique(),
  /** Who asked for it; kept by value, because a change outlives them. */
  user_id: integer().notNull(),
  user_name: text().notNull(),
  /** The number of its operation, once that has an audit entry. */
  operation: integer(),
  /** What is left to be done, as JSON. */
  state: text().notNull(),
  started_at: instant().notNull(),
})
