import { accessCondition, type Right, requireAllowed } from '../acl/access.ts'
import type { User } from '../context.ts'
import type { Db } from '../db/client.ts'
import { uuidToBlob } from '../db/columns.ts'

/** Returns a category that the user has the right to. Throws not_found, or forbidden without it. */
export function loadCategory(db: Db, user: User, id: string, right: Right): { rid: number } {
  const allowed = accessCondition(user, 'category', right, 'c')
  return requireAllowed(
    db.get<{ rid: number; allowed: number }>(
      `SELECT c.rid, ${allowed.sql} AS allowed FROM categories c WHERE c.id = ?`,
      ...allowed.params,
      uuidToBlob(id),
    ),
    'category',
  )
}
