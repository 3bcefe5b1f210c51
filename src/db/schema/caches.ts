import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { int64 } from '../columns.ts'
import { users } from './users.ts'

/**
 * Perceptual hashes that were added (1) or removed (-1) other than by a new file, for the server's tree of hashes.
 * Written by triggers; emptied when a server starts, because a new tree reads all hashes.
 */
export const phashChanges = sqliteTable(
  'phash_changes',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    phash: int64().notNull(),
    change: integer().notNull(),
  },
  () => [check('phash_changes_change_known', sql`change IN (1, -1)`)],
)

/** A random number for each in-process cache; triggers renew it when the cached data changes. */
export const cacheVersions = sqliteTable('cache_versions', {
  name: text().primaryKey(),
  version: integer().notNull(),
})

/**
 * Has a row while a write puts many tags on files, or takes them off, and counts them by itself: the triggers of
 * `file_tags` are then suspended. No user has the number, and the key is checked at the commit, so a row that was left
 * there makes the commit fail.
 */
export const setCounting = sqliteTable('set_counting', {
  no_user: integer()
    .primaryKey()
    .references(() => users.id),
})
