import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { BACKUP_PROBLEMS, DAMAGES } from '../../base/enums.ts'
import { bytes, instant } from '../columns.ts'

/** The library itself, in one row. */
export const library = sqliteTable('library', {
  /** 32 hex digits, which its backups name. */
  id: text().primaryKey(),
  /** How many hashes files have got after their upload, or instead of another; kept by a trigger. */
  late_hashes: integer().notNull().default(0),
  /** When what was kept was last looked through, and since when that was done each day (`retention/`). */
  passed_at: instant(),
  steady_since: instant(),
})

/**
 * Contents that are to be removed, since their last row is gone: written by triggers in the transaction in which
 * it went.
 */
export const removals = sqliteTable('removals', { blob: text().primaryKey() })

/** Nothing: what was written here and removed has left free pages (`db/spare.ts`). */
export const spare = sqliteTable('spare', {
  id: integer().primaryKey(),
  bytes: bytes().notNull(),
})

/** The last backup, in one row at most. */
export const lastBackup = sqliteTable(
  'last_backup',
  {
    id: integer().primaryKey(),
    /** Of the last one that came to its end. */
    made_at: instant(),
    problem: text({ enum: BACKUP_PROBLEMS }),
    /** When one failed, if none was made since. */
    failed_at: instant(),
  },
  () => [
    check('last_backup_single', sql`id = 1`),
    check('last_backup_problem_known', sql`problem IN ('incomplete', 'same_disk')`),
  ],
)

/** How far all contents have been read again, in one row at most. */
export const scrub = sqliteTable(
  'scrub',
  {
    id: integer().primaryKey(),
    /** Of the round under way, else of the last one. */
    begun_at: instant().notNull(),
    /** The last blob that this round has come to, empty at its beginning; null when it is over. */
    place: text(),
    /** When the last whole round ended. */
    ended_at: instant(),
  },
  () => [check('scrub_single', sql`id = 1`)],
)

/**
 * Contents that were found not to be as they should be, and not to be well since; triggers delete that of a file
 * that is purged or gets another content.
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
