import { changesBetween } from '../audit/changes.ts'
import { recordAudit } from '../audit/record.ts'
import { deleteSessions } from '../auth/queries.ts'
import type { Db } from '../db/client.ts'
import { AppError } from '../errors.ts'
import { withUpdate } from '../update.ts'
import type { User as Caller } from '../user.ts'
import { getUser, renameUser, requireOtherAdmin, setPassword, setRights } from './queries.ts'
import type { User, UserUpdate } from './schema.ts'

/**
 * Changes a user's rights, inside a write; blocking ends all of the user's sessions. Throws
 * AppError not_found, and conflict for blocking oneself or leaving no admin who is not blocked.
 */
export function updateRights(
  db: Db,
  options: { caller: Caller; user_id: number; update: UserUpdate; now: number },
): User {
  const { caller, user_id, update, now } = options
  const before = getUser(db, user_id)
  const after = withUpdate(before, update)
  if (update.is_blocked && user_id === caller.id) {
    throw new AppError('conflict', 'Nobody can block themselves')
  }
  if (isActiveAdmin(before) && !isActiveAdmin(after)) requireOtherAdmin(db, user_id)
  setRights(db, after)

  const named = { user_id, name: before.name }
  const changes = changesBetween(rights(before), rights(after))
  if (changes) {
    const details = { ...named, ...changes }
    recordAudit(db, { user: caller, action: 'user_role_change', details, now })
  }
  if (after.is_blocked && !before.is_blocked) {
    const details = { ...named, sessions_ended: deleteSessions(db, user_id) }
    recordAudit(db, { user: caller, action: 'user_block', details, now })
  }
  if (!after.is_blocked && before.is_blocked) {
    recordAudit(db, { user: caller, action: 'user_unblock', details: named, now })
  }
  return after
}

/**
 * Changes the caller's own name and password, inside a write; a new password ends all of their
 * other sessions. Throws AppError conflict when the name is taken.
 */
export function updateSelf(
  db: Db,
  options: {
    caller: Caller
    session_id: number
    name: string | undefined
    password_hash: string | undefined
    now: number
  },
): User {
  const { caller, session_id, name, password_hash, now } = options
  const details: Record<string, unknown> = {}
  if (name !== undefined && name !== caller.name) {
    renameUser(db, caller.id, name)
    details.name = { from: caller.name, to: name }
  }
  if (password_hash !== undefined) {
    setPassword(db, caller.id, password_hash)
    details.sessions_ended = deleteSessions(db, caller.id, session_id)
  }
  const fields = [...(details.name ? ['name'] : []), ...(password_hash ? ['password'] : [])]
  if (fields.length > 0) {
    const all = { user_id: caller.id, fields, ...details }
    recordAudit(db, { user: caller, action: 'user_edit', details: all, now })
  }
  return getUser(db, caller.id)
}

function isActiveAdmin(user: User): boolean {
  return user.is_admin && !user.is_blocked
}

function rights({ is_admin, can_create }: User) {
  return { is_admin, can_create }
}
