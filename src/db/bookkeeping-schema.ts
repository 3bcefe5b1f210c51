import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'
import { bytes, flag, instant, uuid } from './columns.ts'
import { files } from './schema.ts'

// What the server notes down: the audit log, scans for duplicates, imports under way, cache versions.

/** Kept for ever: users and objects are named by value, since an entry outlives them. */
export const auditLog = sqliteTable(
  'audit_log',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** 0 for what the server does by itself. */
    user_id: integer().notNull(),
    user_name: text().notNull(),
    action: text().notNull(),
    object_type: text(),
    object_id: uuid(),
    details: text(),
    performed_at: instant().notNull(),
  },
  (t) => [
    index('audit_log_time').on(t.performed_at),
    index('audit_log_user').on(t.user_id, t.performed_at),
    index('audit_log_action').on(t.action, t.performed_at),
    index('audit_log_object_type').on(t.object_type, t.performed_at),
    index('audit_log_object').on(t.object_id, t.performed_at),
  ],
)

/** One run of the duplicate rescan; its pairs count once it is the current one. */
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
    phash_a: integer().notNull(),
    phash_b: integer().notNull(),
    distance: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.scan_id, t.phash_a, t.phash_b] }),
    check('duplicate_pairs_ordered', sql`phash_a < phash_b`),
    check('duplicate_pairs_distance_known', sql`distance BETWEEN 1 AND 64`),
  ],
)

/** The files of a hash that has an equal or a neighbour. */
export const duplicateMembers = sqliteTable(
  'duplicate_members',
  {
    scan_id: integer()
      .notNull()
      .references(() => duplicateScans.id, { onDelete: 'cascade' }),
    phash: integer().notNull(),
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

/** Imports whose source may still lie in the import folder: committed with the file. */
export const importJournal = sqliteTable(
  'import_journal',
  {
    path: text().primaryKey(),
    sha256: bytes().notNull(),
    file_rid: integer().notNull(),
  },
  (t) => [
    index('import_journal_file').on(t.file_rid),
    foreignKey({ columns: [t.file_rid], foreignColumns: [files.rid] }).onDelete('cascade'),
  ],
)

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
