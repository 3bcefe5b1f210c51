import { accessCondition, type Right } from '../../acl/access.ts'
import { seenNow } from '../../auth/seen-now.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/columns.ts'
import { files } from '../../db/schema/files.ts'
import { and, numbersOf, type Sql } from '../../db/sql.ts'
import { filesOf } from '../../files/file-set.ts'
import { membersOf } from '../../files/find/members.ts'
import { question } from '../../reader/question.ts'
import { getUnblocked } from '../../users/queries.ts'
import { allOf } from '../list.ts'
import { loadPool } from '../queries.ts'
import type { Reach, ReachAsked } from './schema.ts'
import { throughPools } from './told.ts'

const f = columnNames(files, 'f')

/**
 * Returns how many of the files the caller sees, how many of these belong to others, and how many of the rest each of
 * the users sees and may edit, and through which pools. Throws not_found or forbidden for the pool, and not_found for an
 * unknown or a blocked user.
 */
export function readReach(db: Db, viewer: User, asked: ReachAsked): Promise<Reach> {
  return reachOf(db, { viewer, ...asked })
}

export const reachOf = question(
  'overview',
  'reach',
  (db: Db, asked: ReachAsked & { viewer: User }): Reach => {
    const { viewer, file_ids, pool_id, user_ids } = seenNow(db, asked)
    const seen =
      pool_id === undefined
        ? ridsOf(db, and([named(file_ids!), accessCondition(viewer, 'file', 'view', 'f')]))
        : filesOf(membersOf(db, allOf(db, viewer, loadPool(db, viewer, pool_id, 'view'))))
    const people = getUnblocked(db, user_ids)
    // Only admins may read the rights to others' files.
    const isOwn = { sql: `${f.creator_id} = ?`, params: [viewer.id] }
    const known = viewer.is_admin ? seen : ridsOf(db, and([among(seen), isOwn]))
    const count = (user: User, right: Right) =>
      // The time to read what other users see would reveal how much that is.
      known.length === 0
        ? 0
        : ridsOf(db, and([among(known), accessCondition(user, 'file', right, 'f')])).length
    return {
      files: seen.length,
      not_yours: seen.length - known.length,
      users: people.map((user) => {
        const seen = count(user, 'view')
        const can_edit = user.is_admin ? seen : count(user, 'edit')
        return { user_id: user.id, seen, can_edit, ...throughPools(db, viewer, user, known) }
      }),
    }
  },
)

function among(rids: number[]): Sql {
  return { sql: `${f.rid} IN (SELECT value FROM json_each(?))`, params: [JSON.stringify(rids)] }
}

function named(ids: string[]): Sql {
  const list = JSON.stringify(ids.map((id) => id.replaceAll('-', '')))
  return { sql: `${f.id} IN (SELECT unhex(value) FROM json_each(?))`, params: [list] }
}

function ridsOf(db: Db, { sql, params }: Sql): number[] {
  return numbersOf(db, { sql: `SELECT ${f.rid} FROM files f WHERE ${sql}`, params })
}
