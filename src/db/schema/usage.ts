import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { users } from './users.ts'

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
