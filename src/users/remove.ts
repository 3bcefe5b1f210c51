import { heirOf } from '../acl/queries.ts'
import { audit } from '../audit/record.ts'
import { deleteKeys } from '../auth/keys/queries.ts'
import { deleteSessions } from '../auth/queries.ts'
import { AppError } from '../base/errors.ts'
import type { User as Caller } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { type Begun, beginChange, type LongChange } from '../long-changes/change.ts'
import { findChange } from '../long-changes/queries.ts'
import {
  deleteFirstOwned,
  deleteUser,
  type HandedOver,
  handOverFirst,
  hideUser,
} from './queries.ts'
import type { User } from './schema.ts'

interface Removal {
  user_id: number
  name: string
  handed_over: HandedOver
}

/** Passes on what a deleted user created, and deletes their access entries, views and favourites. */
export const userRemoval: LongChange<Removal, null> = {
  kind: 'remove_user',
  isDeletion: true,
  portion(tx, actor, { user_id, name, handed_over }, rows) {
    const heir = heirOf(tx, actor.id, { id: actor.id, is_admin: false })
    const handed = handOverFirst(tx, user_id, heir, rows)
    const moved = Object.values(handed).reduce((sum, count) => sum + count, 0)
    const rest = { user_id, name, handed_over: sumOf(handed_over, handed) }
    const owned = deleteFirstOwned(tx, user_id, rows - moved)
    if (moved + owned === rows) return { rest }
    deleteUser(tx, user_id)
    audit(tx, actor, 'user_delete', null, rest)
    return { result: null }
  },
}

function sumOf(a: HandedOver, b: HandedOver): HandedOver {
  return {
    files: a.files + b.files,
    tags: a.tags + b.tags,
    categories: a.categories + b.categories,
    pools: a.pools + b.pools,
  }
}

function subjectOf(user_id: number): string {
  return `remove user ${user_id}`
}

/** Returns the deletion of a user that is under way, or undefined. */
export function removalUnderWay(db: Db, user_id: number): Begun<null> | undefined {
  const subject = subjectOf(user_id)
  return findChange(db, subject) && { subject, isJoined: true }
}

/**
 * Deletes a user with their sessions and keys at once, and begins to pass what they created to the caller. Throws
 * conflict when that is the caller.
 */
export function removeUser(tx: Tx, caller: Caller, { id, name }: User): Begun<null> {
  // The caller remains, so there is always an admin left.
  if (id === caller.id) throw new AppError('conflict', 'You cannot delete yourself')
  hideUser(tx, id)
  deleteSessions(tx, id)
  deleteKeys(tx, id)
  const state = { user_id: id, name, handed_over: { files: 0, tags: 0, categories: 0, pools: 0 } }
  return beginChange(tx, userRemoval, { subject: subjectOf(id), actor: caller, state })
}
