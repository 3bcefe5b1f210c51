import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { SHARE_DOWNLOADS } from '../../base/enums.ts'
import { bytes, flag, instant, uuid } from '../columns.ts'
import { files } from './files.ts'
import { pools } from './pools.ts'
import { users } from './users.ts'

/** Links that show files to people without an account. */
export const shares = sqliteTable(
  'shares',
  {
    rid: integer().primaryKey({ autoIncrement: true }),
    id: uuid().notNull().unique(),
    /** SHA-256 of the characters after `/s/`, which are stored nowhere. */
    token_hash: bytes().notNull().unique(),
    creator_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    title: text(),
    /** The pool whose files it shows; null for one that names its files. */
    pool_rid: integer().references(() => pools.rid, { onDelete: 'cascade' }),
    /** Whether it shows all files of the pool, and not only those of `share_files`. */
    follows: flag().notNull(),
    downloads: text({ enum: SHARE_DOWNLOADS }).notNull(),
    shows_names: flag().notNull(),
    may_upload: flag().notNull(),
    /** A PHC string; null for a link without a password. */
    password_hash: text(),
    created_at: instant().notNull(),
    expires_at: instant(),
    /** Written at most once a minute. */
    last_used_at: instant(),
  },
  (t) => [
    index('shares_creator').on(t.creator_id),
    index('shares_pool').on(t.pool_rid),
    check('shares_downloads_known', sql`downloads IN ('none', 'without_place', 'as_they_are')`),
    check('shares_follow_pools', sql`follows = 0 OR pool_rid IS NOT NULL`),
  ],
)

/** The files that a link shows, or those that were in its pool when it was made. */
export const shareFiles = sqliteTable(
  'share_files',
  {
    share_rid: integer()
      .notNull()
      .references(() => shares.rid, { onDelete: 'cascade' }),
    file_rid: integer()
      .notNull()
      .references(() => files.rid, { onDelete: 'cascade' }),
    /** Its place in the order in which they were named; 0 for the files of a pool. */
    place: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.share_rid, t.file_rid] }),
    index('share_files_file').on(t.file_rid),
  ],
)
