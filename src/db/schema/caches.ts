import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { int64 } from '../columns.ts'

/**
 * Perceptual hashes that came (1) or went (-1) other than by a new file, for the server's tree of
 * hashes. Written by triggers; emptied when a server starts, because a new tree reads all hashes.
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
