import { accessCondition } from '../../acl/access.ts'
import { isoTime } from '../../base/time.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { blobToUuid, columnNames } from '../../db/columns.ts'
import { acl } from '../../db/schema/acl.ts'
import { files } from '../../db/schema/files.ts'
import { pools } from '../../db/schema/pools.ts'
import { MOST_POOLS, type PoolName, type SharedThrough, type UserReach } from './schema.ts'

const a = columnNames(acl, 'a')
const f = columnNames(files, 'f')
const p = columnNames(pools, 'p')

const THROUGH = `${a.object_type} = 'file' AND ${a.pool_rid} <> 0 AND ${a.can_view} = 1`

/**
 * Returns how many of the files that others created a user sees through pools, and the first of these pools by name, of
 * those that the viewer may view.
 */
export function throughPools(
  db: Db,
  viewer: User,
  user: User,
  rids: number[],
): Pick<UserReach, 'through_pools' | 'pools'> {
  const { entries, found } = db.get<{ entries: number; found: string }>(
    `WITH entries AS MATERIALIZED (
       SELECT ${a.object_rid} AS file, ${a.pool_rid} AS pool
       FROM json_each(?) j CROSS JOIN acl a CROSS JOIN files f
       WHERE ${a.user_id} = ? AND ${THROUGH} AND ${a.object_rid} = j.value AND ${f.rid} = j.value
         AND ${f.creator_id} <> ?)
     SELECT count(DISTINCT file) AS entries, json_group_array(DISTINCT pool) AS found FROM entries`,
    JSON.stringify(rids),
    user.id,
    user.id,
  )!
  return {
    through_pools: entries,
    pools: [...namesOf(db, viewer, found).values()].slice(0, MOST_POOLS),
  }
}

/**
 * Returns through which pools a file is shared and since when, the oldest first: for its creator and admins all of them,
 * for others only those through which they see it. A pool that the viewer may not view has no name.
 */
export function sharedThrough(
  db: Db,
  viewer: User,
  file: { rid: number; creator_id: number },
): SharedThrough[] {
  const isTold = viewer.is_admin || file.creator_id === viewer.id
  const rows = db.all<{ pool: number; since: number }>(
    `SELECT ${a.pool_rid} AS pool, min(${a.granted_at}) AS since FROM acl a
     WHERE ${THROUGH} AND ${a.object_rid} = ? AND (? OR ${a.user_id} = ?)
     GROUP BY ${a.pool_rid} ORDER BY since, pool LIMIT ${MOST_POOLS}`,
    file.rid,
    Number(isTold),
    viewer.id,
  )
  const names = namesOf(db, viewer, JSON.stringify(rows.map(({ pool }) => pool)))
  return rows.map(({ pool, since }) => ({
    pool: names.get(pool) ?? null,
    since: isoTime(since),
  }))
}

/** Returns the names of those of the pools, a list as JSON, that the viewer may view, by row number and ordered by name. */
export function namesOf(db: Db, viewer: User, rids: string): Map<number, PoolName> {
  const rule = accessCondition(viewer, 'pool', 'view', 'p')
  const rows = db.all<{ rid: number; id: Uint8Array; name: string }>(
    `SELECT ${p.rid} AS rid, ${p.id} AS id, ${p.name} AS name FROM pools p
     WHERE ${p.rid} IN (SELECT value FROM json_each(?)) AND ${p.is_deleted} = 0 AND ${rule.sql}
     ORDER BY ${p.name_key}, ${p.rid}`,
    rids,
    ...rule.params,
  )
  return new Map(rows.map(({ rid, id, name }) => [rid, { id: blobToUuid(id), name }]))
}
