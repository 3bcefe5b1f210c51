import { sql } from 'drizzle-orm'
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { BACKUP_PROBLEMS, DAMAGES } from '../../base/enums.ts'
import { bytes, instant } from '../columns.ts'

/** The library itself, in one row. */
export const library = sqliteTable('library', {
  /** 32 hex digits, which its backups name. */
  id: text().primaryKey(),
  /** How many hashes files have got after their upload, or in place of another. Maintained by a trigger. */
  late_hashes: integer().notNull().default(0),
  /**
   * The last time that retained data was checked for what is too old, and since when that has been done each day
   * (`retention/`).
   */
  passed_at: instant(),
  steady_since: instant(),
  /** Where new contents go: `local` or `s3://bucket/prefix`; null before a server has recorded it. */
  place: text(),
  /** Where others are that are still to be moved, if there are any. */
  old_place: text(),
})

/**
 * Contents that are to be removed, because their last row is gone. Written by triggers in the transaction that deletes
 * the row.
 */
export const removals = sqliteTable('removals', {
  blob: text().primaryKey(),
  /**
   * When the newest was made of the generations that were kept then: those up to this time may name the content, which
   * stays as long as one of them is kept. Null when there was none.
   */
  not_before: instant(),
})

/**
 * Generations of backups with the database alone, by the time in their names, and the path of their folder. What a
 * restored one names must still be where the contents are.
 */
export const keptGenerations = sqliteTable(
  'kept_generations',
  {
    folder: text().notNull(),
    made_at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.folder, table.made_at] })],
)

/** Always empty: what was written here and removed has left free pages (`db/spare.ts`). */
export const spare = sqliteTable('spare', {
  id: integer().primaryKey(),
  bytes: bytes().notNull(),
})

/** The last backup, in one row at most. */
export const lastBackup = sqliteTable(
  'last_backup',
  {
    id: integer().primaryKey(),
    /** When the last backup succeeded. */
    made_at: instant(),
    problem: text({ enum: BACKUP_PROBLEMS }),
    /** When a backup failed, if none has succeeded since. */
    failed_at: instant(),
  },
  () => [
    check('last_backup_single', sql`id = 1`),
    check('last_backup_problem_known', sql`problem IN ('incomplete', 'same_disk')`),
  ],
)

/** Progress of reading all contents again, in one row at most. */
export const scrub = sqliteTable(
  'scrub',
  {
    id: integer().primaryKey(),
    /** The start of the current round, or else of the last one. */
    begun_at: instant().notNull(),
    /** The last blob that this round has reached, empty at its beginning; null when it is over. */
    place: text(),
    /** When the last whole round ended. */
    ended_at: instant(),
  },
  () => [check('scrub_single', sql`id = 1`)],
)

/**
 * Contents that were found damaged and have not been found intact since. Triggers delete the row of a file that is
 * purged or gets another content.
 */
export const damages = sqliteTable(
  'damages',
  {
    blob: text().primaryKey(),
    what: text({ enum: DAMAGES }).notNull(),
    found_at: instant().notNull(),
  },
  () => [check('damages_what_known', sql`what IN ('missing', 'size', 'sha256', 'unreadable')`)],
)
