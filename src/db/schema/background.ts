import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { files } from './files.ts'

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
  /** The number of the operation that what it changes is a part of, once it has changed something. */
  operation: integer(),
  /** How many files are still to be tried again behind the oldest one; null when none is. */
  due: integer(),
})

/** Dates that files would have, were they not to come: the server's clock may have been behind. */
export const lateDates = sqliteTable('late_dates', {
  file_rid: integer()
    .primaryKey()
    .references(() => files.rid, { onDelete: 'cascade' }),
  /** A JSON array of what tells them (`media/dates.ts`), the best first. */
  dates: text().notNull(),
})

/** Files that a kind of work could not do, since the system refused or their contents can't be read. */
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
