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

/** Returns the metadata of an object, which are stored as JSON. */
export const asTold = (json: string | null) =>
  json === null ? null : (JSON.parse(json) as Record<string, unknown>)

/**
 * The columns of an object's creator, and of the access list that people gave it, as JSON: null unless the parameter is
 * the id of the creator, or 0 for an export of everything.
 */
export const ownedBy = (type: ObjectType, rid: string, creator: string) => `(
  SELECT name FROM users WHERE id = ${creator}) AS creator,
  CASE WHEN ? IN (0, ${creator}) THEN (
    SELECT json_group_array(json_object('user', name, 'can_view', view, 'can_edit', edit))
    FROM (SELECT ${u.name} AS name, ${a.can_view} AS view, ${a.can_edit} AS edit
      FROM acl a JOIN users u ON ${u.id} = ${a.user_id}
      WHERE ${a.object_type} = '${type}' AND ${a.object_rid} = ${rid} AND ${a.pool_rid} = 0
        AND ${u.is_deleted} = 0
      ORDER BY ${u.name})) END AS rights`

/** A row of what objects of all kinds have. */
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
  const kinds = { ...OBJECTS, file: { table: 'files f', names: f } }
  const owners = Object.entries(kinds).map(([type, { table, names }]) => {
    const source = type === 'file' ? 'export_files' : `export_objects WHERE type = '${type}'`
    const isNamed = `${names.rid} IN (SELECT rid FROM ${source})`
    return `SELECT ${names.creator_id} FROM ${table} WHERE ${isNamed}
      UNION SELECT ${a.user_id} FROM acl a JOIN ${table} ON ${names.rid} = ${a.object_rid}
      WHERE ${a.object_type} = '${type}' AND ${a.pool_rid} = 0 AND ${isNamed}
        AND (SELECT id FROM me) IN (0, ${names.creator_id})`
  })
  const liked = `SELECT ${fa.user_id} FROM favourites fa JOIN export_files e ON e.rid = ${fa.file_rid}
    WHERE (SELECT id FROM me) IN (0, ${fa.user_id})`
  return db
    .all<{ name: string }>(
      `WITH me(id) AS (SELECT ?) SELECT DISTINCT ${u.name} AS name FROM users u
       WHERE ${u.id} IN (${[...owners, liked].join(' UNION ')}) ORDER BY ${u.name}`,
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
