import { accessCondition } from '../../acl/access.ts'
import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/column-names.ts'
import { acl } from '../../db/schema/acl.ts'
import { files } from '../../db/schema/files.ts'
import type { User } from '../../user.ts'

const f = columnNames(files, 'f')
const a = columnNames(acl, 'a')

/** The files that there are, and those of them that everybody may view. */
export type Openness = 'all' | 'public'

/** What a stretch of an index holds, and where it ends: null when nothing is behind it. */
interface Stretch {
  rids: number[]
  end: number | null
}

const OPENNESS = { all: '1', public: `${f.is_public} = 1` }

/** Returns those of the next `length` files after a row number, in the trash or not, that are as open. */
export function openStretch(
  db: Db,
  { openness, trash }: { openness: Openness; trash: boolean },
  { after, length }: { after: number; length: number },
): Stretch {
  const listed = `FROM files f INDEXED BY files_created WHERE ${f.is_deleted} = ? AND ${f.rid} > ?`
  // With its end known first, the index is read in half the time.
  const end = db.get<{ rid: number }>(
    `SELECT ${f.rid} ${listed} ORDER BY ${f.rid} LIMIT 1 OFFSET ?`,
    Number(trash),
    after,
    length - 1,
  )
  const { rids } = db.get<{ rids: string }>(
    `SELECT json_group_array(${f.rid}) AS rids ${listed} AND ${f.rid} <= ? AND ${OPENNESS[openness]}`,
    Number(trash),
    after,
    end?.rid ?? Number.MAX_SAFE_INTEGER,
  )!
  return { rids: JSON.parse(rids), end: end?.rid ?? null }
}

/** Returns those of the files, in the trash or not, that are as open. */
export function openAmong(
  db: Db,
  { openness, trash }: { openness: Openness; trash: boolean },
  rids: number[],
): number[] {
  const row = db.get<{ rids: string }>(
    `SELECT json_group_array(${f.rid}) AS rids FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
     WHERE ${f.is_deleted} = ? AND ${OPENNESS[openness]}`,
    JSON.stringify(rids),
    Number(trash),
  )!
  return JSON.parse(row.rids)
}

/** How a user comes to see files that not everybody may view, or to edit them. */
export type Claim = 'creator' | 'view' | 'edit'

const LISTED = `SELECT ${a.object_rid} AS rid FROM acl a WHERE ${a.user_id} = ? AND ${a.object_type} = 'file'`

const CLAIMED = {
  creator: `SELECT ${f.rid} AS rid FROM files f INDEXED BY files_creator WHERE ${f.creator_id} = ?`,
  view: `${LISTED} AND ${a.can_view} = 1`,
  edit: `${LISTED} AND ${a.can_edit} = 1`,
}

/**
 * Returns the next `length` files after a row number to which a user has a claim, those in the trash
 * too, and the last one; null when there are no more.
 */
export function claimedStretch(
  db: Db,
  { claim, user }: { claim: Claim; user: Pick<User, 'id'> },
  { after, length }: { after: number; length: number },
): { rids: number[]; end: number | null } {
  const row = db.get<{ rids: string }>(
    `SELECT json_group_array(rid) AS rids FROM (${CLAIMED[claim]} AND rid > ? ORDER BY rid LIMIT ?)`,
    user.id,
    after,
    length,
  )!
  const rids: number[] = JSON.parse(row.rids)
  return { rids, end: rids.length < length ? null : rids.at(-1)! }
}

/** Returns those of the files to which a user has a claim, those in the trash too. */
export function claimedAmong(
  db: Db,
  { claim, user }: { claim: Claim; user: Pick<User, 'id'> },
  rids: number[],
): number[] {
  const row = db.get<{ rids: string }>(
    `SELECT json_group_array(rid) AS rids FROM (${CLAIMED[claim]} AND rid IN (SELECT value FROM json_each(?)))`,
    user.id,
    JSON.stringify(rids),
  )!
  return JSON.parse(row.rids)
}

/** Returns those of the files, in the trash or not, that the viewer may view. */
export function visibleAmong(
  db: Db,
  { viewer, trash }: { viewer: User; trash: boolean },
  rids: number[],
): number[] {
  const visible = accessCondition(viewer, 'file', 'view', 'f')
  const row = db.get<{ rids: string }>(
    `SELECT json_group_array(${f.rid}) AS rids FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
     WHERE ${f.is_deleted} = ? AND ${visible.sql}`,
    JSON.stringify(rids),
    Number(trash),
    ...visible.params,
  )!
  return JSON.parse(row.rids)
}
