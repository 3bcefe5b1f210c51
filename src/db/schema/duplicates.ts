import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { flag, instant, int64 } from '../columns.ts'
import { files } from './files.ts'

/** One run of the rescan; its pairs count once it is the current scan. */
export const duplicateScans = sqliteTable('duplicate_scans', {
  id: integer().primaryKey({ autoIncrement: true }),
  threshold: integer().notNull(),
  started_at: instant().notNull(),
  finished_at: instant(),
  is_current: flag().notNull(),
  /**
   * Whether all older files had their finer hash at the start, everything that can be hashed was, and the scan covered
   * everything it was meant to.
   */
  is_whole: flag().notNull().default(false),
  /** How many late hashes there had been when the scan read the hashes. */
  late_hashes: integer().notNull().default(0),
})

/** Two groups of files that look alike, with the distance between their first hashes. */
export const duplicatePairs = sqliteTable(
  'duplicate_pairs',
  {
    scan_id: integer()
      .notNull()
      .references(() => duplicateScans.id, { onDelete: 'cascade' }),
    group_a: integer().notNull(),
    group_b: integer().notNull(),
    distance: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.scan_id, t.group_a, t.group_b] }),
    check('duplicate_pairs_ordered', sql`group_a < group_b`),
    check('duplicate_pairs_distance_known', sql`distance BETWEEN 0 AND 64`),
  ],
)

/** The files that look the same as another file of their group, or like those of another group. */
export const duplicateMembers = sqliteTable(
  'duplicate_members',
  {
    scan_id: integer()
      .notNull()
      .references(() => duplicateScans.id, { onDelete: 'cascade' }),
    file_rid: integer()
      .notNull()
      .references(() => files.rid, { onDelete: 'cascade' }),
    /** The number of the group within its scan. */
    group_id: integer().notNull(),
    /** The file counts as long as this is its hash; when its content is replaced, the row is deleted. */
    phash: int64().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.scan_id, t.file_rid] }),
    index('duplicate_members_file').on(t.file_rid),
  ],
)

export const duplicateDismissals = sqliteTable(
  'duplicate_dismissals',
  {
    file_rid_a: integer()
      .notNull()
      .references(() => files.rid, { onDelete: 'cascade' }),
    file_rid_b: integer()
      .notNull()
      .references(() => files.rid, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.file_rid_a, t.file_rid_b] }),
    index('duplicate_dismissals_b').on(t.file_rid_b),
    check('duplicate_dismissals_ordered', sql`file_rid_a < file_rid_b`),
  ],
)
