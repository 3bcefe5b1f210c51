import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The library itself, in one row. */
export const library = sqliteTable('library', {
  /** 32 hex digits, which its backups name. */
  id: text().primaryKey(),
})

/**
 * Contents that are to be removed, since their last row is gone: written by triggers in the transaction in which
 * it went.
 */
export const removals = sqliteTable('removals', { blob: text().primaryKey() })
