import type { ObjectType } from '../base/enums.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { columnNames } from '../db/columns.ts'
import { acl } from '../db/schema/acl.ts'
import { favourites, files } from '../db/schema/files.ts'
import { users } from '../db/schema/users.ts'
import { OBJECTS } from './snapshot-queries.ts'

const a = columnNames(acl, 'a')
const f = columnNames(files, 'f')
const fa = columnNames(favourites, 'fa')
const u = columnNames(users, 'u')

export const asTold = (json: string | null) =>
  json === null ? null : (JSON.parse(json) as Record<string, unknown>)

/** An object's creator, and the access list that people gave it where `seer` may name that, as JSON. */
export const ownedBy = (type: ObjectType, rid: string, creator: string) => `(
  SELECT name FROM users WHERE id = ${creator}) AS creator,
  CASE WHEN ? IN (0, ${creator}) THEN (
    SELECT json_group_array(json_object('user', name, 'can_view', view, 'can_edit', edit))
    FROM (SELECT ${u.name} AS name, ${a.can_view} AS view, ${a.can_edit} AS edit
      FROM acl a JOIN users u ON ${u.id} = ${a.user_id}
      WHERE ${a.object_type} = '${type}' AND ${a.object_rid} = ${rid} AND ${a.pool_rid} = 0
        AND ${u.is_deleted} = 0
      ORDER BY ${u.name})) END AS rights`

export interface Owned {
  creator: string
  is_public: number
  rights: string | null
  notes: string | null
  metadata: string | null
}

/** Returns the fields that objects of all kinds have, as lines have them; undefined is left out of JSON. */
export function owned(row: Owned) {
  const rights = JSON.parse(row.rights ?? '[]') as {
    user: string
    can_view: number
    can_edit: number
  }[]
  return {
    notes: row.notes ?? undefined,
    metadata: asTold(row.metadata) ?? undefined,
    creator: row.creator,
    is_public: row.is_public === 1 || undefined,
    rights:
      rights.length === 0
        ? undefined
        : rights.map(({ user, can_view, can_edit }) => ({
            user,
            can_view: can_view === 1 ? undefined : false,
            can_edit: can_edit === 1 || undefined,
          })),
  }
}

/** Returns the names of those who are named in the export, sorted. */
export function namedUsers(db: Db, seer: User): string[] {
  const [creators, named] = [
    `SELECT ${f.creator_id} FROM export_files e JOIN files f ON ${f.rid} = e.rid`,
    `SELECT 'file' AS type, rid FROM export_files UNION ALL SELECT type, rid FROM export_objects`,
  ]
  const makers = Object.entries(OBJECTS).map(
    ([type, { table, names }]) =>
      `SELECT ${names.creator_id} FROM export_objects o JOIN ${table} ON ${names.rid} = o.rid AND o.type = '${type}'`,
  )
  const made = ['file', ...Object.keys(OBJECTS)].map((type) => {
    const table = type === 'file' ? 'files' : { ...OBJECTS }[type as 'tag'].table.split(' ')[0]
    return `SELECT ${a.user_id} FROM acl a JOIN ${table} x ON x.rid = ${a.object_rid}
      JOIN named n ON n.type = ${a.object_type} AND n.rid = ${a.object_rid}
      WHERE ${a.object_type} = '${type}' AND ${a.pool_rid} = 0 AND (SELECT id FROM me) IN (0, x.creator_id)`
  })
  const liked = `SELECT ${fa.user_id} FROM favourites fa JOIN export_files e ON e.rid = ${fa.file_rid}
    WHERE (SELECT id FROM me) IN (0, ${fa.user_id})`
  const all = [creators, ...makers, ...made, liked].join(' UNION ')
  return db
    .all<{ name: string }>(
      `WITH me(id) AS (SELECT ?), named AS (${named})
       SELECT ${u.name} AS name FROM users u WHERE ${u.id} IN (${all}) GROUP BY ${u.name} ORDER BY ${u.name}`,
      seer.id,
    )
    .map(({ name }) => name)
}

/** Returns the name of a user; null for none. */
export function nameOfUser(db: Db, id: number): string | null {
  const found = db.get<{ name: string }>(
    `SELECT ${u.name} FROM users u WHERE ${u.id} = ? AND ${u.is_deleted} = 0`,
    id,
  )
  return found?.name ?? null
}
