import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** How far the background has come with what older files lack, one row for each kind of work. */
export const backgroundWork = sqliteTable('background_work', {
  name: text().primaryKey(),
  /** What the files are looked at with; another version begins anew. */
  version: text().notNull(),
  /** The row number below which files are still to be looked at; null when none is left. */
  place: integer(),
  /** How many files there were when it began, and how many of them were looked at. */
  total: integer().notNull(),
  looked_at: integer().notNull(),
  /**
   * The row number below which it begins again after the oldest file, which is above all those that the
   * system has refused or could not read; null when there are none.
   */
  again: integer(),
  /** The number of the operation that what it changes is a part of, once it has changed something. */
  operation: integer(),
})
