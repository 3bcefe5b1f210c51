import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { instant } from '../columns.ts'
import { files } from './files.ts'

/** Progress of the background work on what older files lack, one row for each kind of work. */
export const backgroundWork = sqliteTable('background_work', {
  name: text().primaryKey(),
  /** The version of whatever examines the files; another version starts again. */
  version: text().notNull(),
  /** The row number below which files are still to be examined; null when none is left. */
  place: integer(),
  /** How many files there were at the start, and how many of them have been examined. */
  total: integer().notNull(),
  looked_at: integer().notNull(),
  /** The number of the operation that its changes belong to, once it has changed something. */
  operation: integer(),
  /** How many files after the oldest one are still to be tried again; null when there are none. */
  due: integer(),
})

/** Dates that files would have if they weren't in the future: the server's clock may have been behind. */
export const lateDates = sqliteTable('late_dates', {
  file_rid: integer()
    .primaryKey()
    .references(() => files.rid, { onDelete: 'cascade' }),
  /** A JSON array of the dates with their sources (`media/dates.ts`), the best first. */
  dates: text().notNull(),
})

/**
 * Files on which a kind of work failed, because the system refused or their contents can't be read, and files whose
 * hashes are to be made because they were turned.
 */
export const owedWork = sqliteTable(
  'owed_work',
  {
    file_rid: integer()
      .notNull()
      .references(() => files.rid, { onDelete: 'cascade' }),
    work: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.file_rid, t.work] })],
)

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
