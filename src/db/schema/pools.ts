import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
} from 'drizzle-orm/sqlite-core'
import { POOL_SORT_KEYS, SORT_ORDERS } from '../../base/enums.ts'
import { flag, uuid } from '../columns.ts'
import { files } from './files.ts'
import { users } from './users.ts'

export const pools = sqliteTable(
  'pools',
  {
    rid: integer().primaryKey({ autoIncrement: true }),
    id: uuid().notNull().unique(),
    name: text().notNull(),
    name_key: text().notNull(),
    notes: text(),
    metadata: text(),
    creator_id: integer()
      .notNull()
      .references(() => users.id),
    is_public: flag().notNull(),
    sort_key: text({ enum: POOL_SORT_KEYS }).notNull(),
    sort_order: text({ enum: SORT_ORDERS }).notNull(),
    /** Nobody can see the pool: its files are leaving it, or coming back. */
    is_deleted: flag().notNull().default(false),
    /** Whoever has an entry of the access list may view the files; `acl` has an entry for each of these. */
    shares_files: flag().notNull().default(false),
    /** The filter by which the pool fills itself, its tokens without spaces and ids in lower case; null for others. */
    filter: text(),
  },
  (t) => [
    index('pools_name').on(t.name_key, t.id),
    index('pools_creator').on(t.creator_id),
    check(
      'pools_sort_key_known',
      sql`sort_key IN ('manual', 'content_datetime', 'created', 'original_name')`,
    ),
    check('pools_sort_order_known', sql`sort_order IN ('asc', 'desc')`),
    check('pools_filter_fits', sql`filter IS NULL OR (sort_key <> 'manual' AND shares_files = 0)`),
  ],
)

export const poolFiles = sqliteTable(
  'pool_files',
  {
    pool_rid: integer()
      .notNull()
      .references(() => pools.rid, { onDelete: 'cascade' }),
    file_rid: integer()
      .notNull()
      .references(() => files.rid, { onDelete: 'cascade' }),
    /**
     * Files are in the order of these numbers, between which there is room for others; the number of smaller ones is
     * the position in answers. From 2^60 on, it stands for a file that a write is about to place.
     */
    order_key: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.pool_rid, t.file_rid] }),
    unique('pool_files_order').on(t.pool_rid, t.order_key),
    index('pool_files_file').on(t.file_rid),
  ],
)
