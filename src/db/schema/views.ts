import { index, integer, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant } from '../columns.ts'
import { files } from './files.ts'
import { pools } from './pools.ts'
import { users } from './users.ts'

const fileRid = () =>
  integer()
    .notNull()
    .references(() => files.rid, { onDelete: 'cascade' })
const poolRid = () =>
  integer()
    .notNull()
    .references(() => pools.rid, { onDelete: 'cascade' })
const userId = () =>
  integer()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** That a user viewed a file on a day. */
export const fileViewDays = sqliteTable(
  'file_view_days',
  {
    file_rid: fileRid(),
    user_id: userId(),
    /** In UTC; days since 1970-01-01. */
    day: integer().notNull(),
    /** The last time on that day. */
    viewed_at: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.file_rid, t.user_id, t.day] }),
    index('file_view_days_user').on(t.user_id),
  ],
)

/** That a user viewed a pool on a day. */
export const poolViewDays = sqliteTable(
  'pool_view_days',
  {
    pool_rid: poolRid(),
    user_id: userId(),
    /** In UTC; days since 1970-01-01. */
    day: integer().notNull(),
    /** The last time on that day. */
    viewed_at: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.pool_rid, t.user_id, t.day] }),
    index('pool_view_days_user').on(t.user_id),
  ],
)

/** Each view from before they were kept by day, until it is folded into its day; then empty. */
export const fileViews = sqliteTable(
  'file_views',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    file_rid: fileRid(),
    user_id: userId(),
    viewed_at: instant().notNull(),
  },
  (t) => [index('file_views_file').on(t.file_rid), index('file_views_user').on(t.user_id)],
)

/** As `fileViews`, of pools. */
export const poolViews = sqliteTable(
  'pool_views',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    pool_rid: poolRid(),
    user_id: userId(),
    viewed_at: instant().notNull(),
  },
  (t) => [index('pool_views_pool').on(t.pool_rid), index('pool_views_user').on(t.user_id)],
)
