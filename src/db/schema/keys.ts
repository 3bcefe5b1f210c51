import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { KEY_SCOPES } from '../../base/enums.ts'
import { bytes, flag, instant } from '../columns.ts'
import { pools } from './pools.ts'
import { users } from './users.ts'

/** The keys of apps, each of which acts for its user within a scope. */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    scope: text({ enum: KEY_SCOPES }).notNull(),
    /** The pool that new files go into, if there is one. */
    pool_rid: integer().references(() => pools.rid, { onDelete: 'set null' }),
    /** Whether folders of the drop box become tags of the new files in them. */
    folder_tags: flag().notNull().default(false),
    /** SHA-256 of the key. */
    digest: bytes().notNull().unique(),
    created_at: instant().notNull(),
    /** Null for never. */
    expires_at: instant(),
    /** Null before the first use; to the minute. */
    last_use: instant(),
  },
  (t) => [index('api_keys_user').on(t.user_id), index('api_keys_pool').on(t.pool_rid)],
)
