import { accessCondition } from '../../acl/access.ts'
import { seenNow } from '../../auth/seen-now.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { blobToUuid, columnNames } from '../../db/columns.ts'
import { acl } from '../../db/schema/acl.ts'
import { files } from '../../db/schema/files.ts'
import { users } from '../../db/schema/users.ts'
import { numbersOf } from '../../db/sql.ts'
import { question } from '../../reader/question.ts'
import { MOST_NAMED, type News } from './schema.ts'
import { namesOf } from './told.ts'

const a = columnNames(acl, 'a')
const f = columnNames(files, 'f')
const u = columnNames(users, 'u')

/**
 * Returns what others have let the viewer see from a time on, in milliseconds, by hand or through pools: files that no
 * older entry let them see and that are not in the trash. Without a time nothing is new.
 */
export const readNews = question(
  'overview',
  'news',
  (db: Db, asked: { viewer: User; since: number | null }): Omit<News, 'until'> => {
    const { viewer, since } = seenNow(db, asked)
    const rids = since === null ? [] : newTo(db, viewer, since)
    const list = JSON.stringify(rids)
    const first = db.all<{ id: Uint8Array }>(
      `SELECT ${f.id} AS id FROM json_each(?) j CROSS JOIN files f WHERE ${f.rid} = j.value ORDER BY j.key`,
      JSON.stringify(rids.slice(0, MOST_NAMED)),
    )
    const from = db.all<{ id: number; name: string; files: number }>(
      `SELECT ${u.id} AS id, ${u.name} AS name, count(*) AS files
       FROM json_each(?) j CROSS JOIN files f CROSS JOIN users u
       WHERE ${f.rid} = j.value AND ${u.id} = ${f.creator_id}
       GROUP BY ${u.id} ORDER BY files DESC, ${u.name} LIMIT ${MOST_NAMED}`,
      list,
    )
    const pools = db.all<{ pool: number; files: number }>(
      `SELECT ${a.pool_rid} AS pool, count(*) AS files FROM json_each(?) j CROSS JOIN acl a
       WHERE ${a.user_id} = ? AND ${a.object_type} = 'file' AND ${a.object_rid} = j.value
         AND ${a.pool_rid} <> 0 AND ${a.can_view} = 1
       GROUP BY ${a.pool_rid} ORDER BY files DESC, ${a.pool_rid}`,
      list,
      viewer.id,
    )
    const names = namesOf(db, viewer, JSON.stringify(pools.map(({ pool }) => pool)))
    return {
      files: rids.length,
      first: first.map(({ id }) => blobToUuid(id)),
      from,
      pools: pools
        .flatMap(({ pool, files }) => {
          const name = names.get(pool)
          return name ? [{ ...name, files }] : []
        })
        .slice(0, MOST_NAMED),
    }
  },
)

/** Returns the row numbers of these files, those that came last first. */
function newTo(db: Db, viewer: User, since: number): number[] {
  const rule = accessCondition(viewer, 'file', 'view', 'f')
  return numbersOf(db, {
    sql: `SELECT ${f.rid} FROM (
        SELECT ${a.object_rid} AS file, min(ifnull(${a.granted_at}, 0)) AS since FROM acl a
        WHERE ${a.user_id} = ? AND ${a.object_type} = 'file' AND ${a.can_view} = 1
        GROUP BY ${a.object_rid} HAVING min(ifnull(${a.granted_at}, 0)) >= ?) n
      CROSS JOIN files f
      WHERE ${f.rid} = n.file AND ${f.creator_id} <> ? AND ${f.is_deleted} = 0 AND ${rule.sql}
      ORDER BY n.since DESC, ${f.rid} DESC`,
    params: [viewer.id, since, viewer.id, ...rule.params],
  })
}
