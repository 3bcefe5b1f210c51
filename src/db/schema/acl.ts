import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { OBJECT_TYPES } from '../../base/enums.ts'
import { flag, instant } from '../columns.ts'
import { users } from './users.ts'

/** The users who may view or edit an object, in addition to its creator, admins and the public. */
export const acl = sqliteTable(
  'acl',
  {
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    object_type: text({ enum: OBJECT_TYPES }).notNull(),
    object_rid: integer().notNull(),
    /** The pool that the entry came through; 0 for one that somebody made by hand. */
    pool_rid: integer().notNull().default(0),
    can_view: flag().notNull(),
    can_edit: flag().notNull(),
    /** Null for one by hand from before this was stored. */
    granted_at: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.user_id, t.object_type, t.object_rid, t.pool_rid] }),
    // With the user, which the key would add anyway, the planner prefers the key for the rights of one user.
    index('acl_object').on(t.object_type, t.object_rid, t.user_id),
    index('acl_pool').on(t.pool_rid, t.user_id).where(sql`pool_rid <> 0`),
    check('acl_object_type_known', sql`object_type IN ('file', 'tag', 'category', 'pool')`),
    check('acl_edit_implies_view', sql`can_view = 1 OR can_edit = 0`),
  ],
)
