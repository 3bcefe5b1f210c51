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

/** The days on which a user viewed a file. */
export const fileViewDays = sqliteTable(
  'file_view_days',
  {
    file_rid: fileRid(),
    user_id: userId(),
    /** Days since 1970-01-01 in UTC. */
    day: integer().notNull(),
    /** The last time on that day. */
    viewed_at: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.file_rid, t.user_id, t.day] }),
    index('file_view_days_user').on(t.user_id),
  ],
)

/** The days on which a user viewed a pool. */
export const poolViewDays = sqliteTable(
  'pool_view_days',
  {
    pool_rid: poolRid(),
    user_id: userId(),
    /** Days since 1970-01-01 in UTC. */
    day: integer().notNull(),
    /** The last time on that day. */
    viewed_at: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.pool_rid, t.user_id, t.day] }),
    index('pool_view_days_user').on(t.user_id),
  ],
)
