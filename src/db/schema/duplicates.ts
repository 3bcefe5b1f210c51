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
})

/** Two different hashes within the threshold of each other. */
export const duplicatePairs = sqliteTable(
  'duplicate_pairs',
  {
    scan_id: integer()
      .notNull()
      .references(() => duplicateScans.id, { onDelete: 'cascade' }),
    phash_a: int64().notNull(),
    phash_b: int64().notNull(),
    distance: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.scan_id, t.phash_a, t.phash_b] }),
    check('duplicate_pairs_ordered', sql`phash_a < phash_b`),
    check('duplicate_pairs_distance_known', sql`distance BETWEEN 1 AND 64`),
  ],
)

/** The files whose hash equals, or is near, that of another file. */
export const duplicateMembers = sqliteTable(
  'duplicate_members',
  {
    scan_id: integer()
      .notNull()
      .references(() => duplicateScans.id, { onDelete: 'cascade' }),
    phash: int64().notNull(),
    file_rid: integer()
      .notNull()
      .references(() => files.rid, { onDelete: 'cascade' }),
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
