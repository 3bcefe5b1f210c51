import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Perceptual hashes that came (1) or went (-1) other than by a new file, for the tree of hashes in
 * the server. Kept by triggers; emptied by the server when it has read all hashes anew.
 */
export const phashChanges = sqliteTable(
  'phash_changes',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    phash: integer().notNull(),
    change: integer().notNull(),
  },
  () => [check('phash_changes_change_known', sql`change IN (1, -1)`)],
)

/** A random number for each in-process cache, new (by triggers) when what it was built from changes. */
export const cacheVersions = sqliteTable('cache_versions', {
  name: text().primaryKey(),
  version: integer().notNull(),
})
