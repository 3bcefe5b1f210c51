import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { acl } from '../../db/schema/acl.ts'
import { files } from '../../db/schema/files.ts'
import { poolFiles, pools } from '../../db/schema/pools.ts'
import { users } from '../../db/schema/users.ts'
import { listed } from '../../db/sql.ts'
import type { Tx } from '../../db/write.ts'

// Of the pool p: who has an entry by hand that lets them view it, while the pool shares its files.
const SHARES = sql`p.shares_files = 1 AND e.object_type = 'pool' AND e.object_rid = p.rid AND e.pool_rid = 0
  AND e.can_view = 1`

const granted = prepared(
  {
    pool: pools.rid,
    files: 'text',
    viewers: 'text',
    user: users.id,
    is_admin: 'number',
    now: 'number',
  },
  (db, { pool, files: list, viewers, user, is_admin, now }) =>
    db
      .insert(acl)
      .select(
        db
          .select({
            user_id: sql<number>`e.user_id`.as('user_id'),
            object_type: sql<'file'>`'file'`.as('object_type'),
            object_rid: files.rid,
            pool_rid: sql<number>`p.rid`.as('pool_rid'),
            can_view: sql<boolean>`1`.as('can_view'),
            can_edit: sql<boolean>`0`.as('can_edit'),
            granted_at: sql<number>`${now}`.as('granted_at'),
          })
          .from(sql`${pools} AS p CROSS JOIN json_each(${list}) AS j`)
          .crossJoin(poolFiles)
          .crossJoin(files)
          .crossJoin(sql`${acl} AS e`)
          .where(
            and(
              sql`p.rid = ${pool}`,
              eq(poolFiles.pool_rid, sql`p.rid`),
              eq(poolFiles.file_rid, sql`j.value`),
              eq(files.rid, poolFiles.file_rid),
              sql`(${files.creator_id} = ${user} OR ${is_admin} = 1
                OR EXISTS (SELECT 1 FROM acl AS g WHERE g.object_type = 'file'
                  AND g.object_rid = ${files.rid} AND g.pool_rid = p.rid))`,
              SHARES,
              sql`e.user_id IN ${listed(viewers)}`,
            ),
          ),
      )
      .onConflictDoNothing(),
)

/**
 * Lets those of the viewers who have an entry on a pool that shares its files view those of the files in it that `user`
 * created, all of them with `isAdmin`, and those that others see through the pool.
 */
export function grantThroughPool(
  tx: Tx,
  user: number,
  { pool, rids, viewers, isAdmin }: Granted,
): void {
  granted.run(tx, {
    pool,
    files: JSON.stringify(rids),
    viewers: JSON.stringify(viewers),
    user,
    is_admin: Number(isAdmin),
    now: tx.now,
  })
}

interface Granted {
  pool: number
  rids: number[]
  viewers: number[]
  isAdmin: boolean
}

const inPool = prepared({ pool: pools.rid }, (db, given) =>
  reading({ rids: sql<string>`json_group_array(${poolFiles.file_rid})` }, (fields) =>
    db
      .select(fields)
      .from(pools)
      .crossJoin(poolFiles)
      .where(
        and(
          eq(pools.rid, given.pool),
          eq(pools.shares_files, true),
          eq(poolFiles.pool_rid, pools.rid),
        ),
      ),
  ),
)

/** Returns the files of a pool, in no order; none unless it shares its files. */
export function filesToShare(db: Db, pool: number): number[] {
  return JSON.parse(inPool.get(db, { pool })!.rids)
}

// Steps from one person to the next in the index, however many files each of them sees through the pool.
const revoked = prepared({ pool: pools.rid, limit: 'number' }, (db, { pool, limit }) => {
  const ofPool = sql`pool_rid = ${pool} AND pool_rid <> 0`
  return db.delete(acl).where(
    sql`(user_id, object_type, object_rid, pool_rid) IN (
      WITH RECURSIVE people(id) AS (
        SELECT min(user_id) FROM acl WHERE ${ofPool}
        UNION ALL
        SELECT (SELECT min(user_id) FROM acl WHERE ${ofPool} AND user_id > people.id)
        FROM people WHERE people.id IS NOT NULL
      ), leaving(id) AS MATERIALIZED (
        SELECT id FROM people WHERE id IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM pools p, acl e WHERE p.rid = ${pool} AND e.user_id = people.id AND ${SHARES})
      )
      SELECT a.user_id, a.object_type, a.object_rid, a.pool_rid FROM leaving CROSS JOIN acl a
      WHERE a.pool_rid = ${pool} AND a.pool_rid <> 0 AND a.user_id = leaving.id LIMIT ${limit})`,
  )
})

/** Takes from people the first files that they no longer see through a pool; returns how many entries that were. */
export function revokeThroughPool(tx: Tx, pool: number, limit: number): number {
  return revoked.run(tx, { pool, limit })
}
