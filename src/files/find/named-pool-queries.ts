import { and, eq } from 'drizzle-orm'
import { preparedWithAccess } from '../../acl/access.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { reading } from '../../db/reading.ts'
import { pools } from '../../db/schema/pools.ts'

const named = preparedWithAccess('pool', { id: pools.id }, (db, given, allowed) =>
  reading({ rid: pools.rid, filter: pools.filter }, (fields) =>
    db
      .select(fields)
      .from(pools)
      .where(and(eq(pools.id, given.id), eq(pools.is_deleted, false), allowed.sql)),
  ),
)

/** Returns a pool that a filter names, and whether it fills itself; null if the viewer may not view it. */
export function poolNamed(
  db: Db,
  viewer: User,
  id: string,
): { rid: number; isSmart: boolean } | null {
  const pool = named(viewer, 'view').get(db, { id, user: viewer.id })
  return pool ? { rid: pool.rid, isSmart: pool.filter !== null } : null
}
