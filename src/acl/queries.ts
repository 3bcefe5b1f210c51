import type { Db } from '../db/client.ts'
import { uuidToBlob } from '../db/columns.ts'
import { OBJECT_TABLES } from '../db/ids.ts'
import type { ObjectType } from '../enums.ts'
import { AppError } from '../errors.ts'
import type { Permission } from './schema.ts'

/** Returns an object's row number and creator, or undefined when there is no such object. */
export function findObject(
  db: Db,
  type: ObjectType,
  id: string,
): { rid: number; creator_id: number } | undefined {
  return db.get(`SELECT rid, creator_id FROM ${OBJECT_TABLES[type]} WHERE id = ?`, uuidToBlob(id))
}

/**
 * Throws not_found when there is no such object. A missing object is reported before any right is
 * checked, so when a request names several objects, the later ones are looked for first.
 */
export function requireExists(db: Db, type: ObjectType, id: string): void {
  if (!findObject(db, type, id)) throw new AppError('not_found', `There is no such ${type}`)
}

/** Returns the access entries of an object, ordered by user. */
export function listPermissions(db: Db, type: ObjectType, rid: number): Permission[] {
  return db
    .all<{ user_id: number; user_name: string; can_view: number; can_edit: number }>(
      `SELECT acl.user_id, u.name AS user_name, acl.can_view, acl.can_edit
       FROM acl JOIN users u ON u.id = acl.user_id
       WHERE acl.object_type = ? AND acl.object_rid = ? ORDER BY acl.user_id`,
      type,
      rid,
    )
    .map((row) => ({ ...row, can_view: row.can_view === 1, can_edit: row.can_edit === 1 }))
}

/** Replaces all access entries of an object; the right to edit brings the right to view. */
export function replacePermissions(
  db: Db,
  object: { type: ObjectType; rid: number },
  permissions: Omit<Permission, 'user_name'>[],
): void {
  db.run('DELETE FROM acl WHERE object_type = ? AND object_rid = ?', object.type, object.rid)
  for (const { user_id, can_view, can_edit } of permissions) {
    db.run(
      'INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit) VALUES (?, ?, ?, ?, ?)',
      user_id,
      object.type,
      object.rid,
      Number(can_view || can_edit),
      Number(can_edit),
    )
  }
}

/** Returns those of the ids that belong to a user. */
export function knownUsers(db: Db, ids: number[]): Set<number> {
  const rows = db.all<{ id: number }>(
    'SELECT id FROM users WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  )
  return new Set(rows.map((row) => row.id))
}
