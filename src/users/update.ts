import { changesBetween } from '../audit/changes.ts'
import type { Details } from '../audit/details.ts'
import { audit } from '../audit/record.ts'
import { deleteKeys } from '../auth/keys/queries.ts'
import { removeNetworks } from '../auth/network-queries.ts'
import { deleteSessions } from '../auth/queries.ts'
import { AppError } from '../base/errors.ts'
import { withUpdate } from '../base/update.ts'
import type { User as Caller } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { requireLimits } from '../http/text-fields.ts'
import { requireStillProved } from './confirm.ts'
import { getUser, renameUser, requireOtherAdmin, setPassword, setRights } from './queries.ts'
import type { User, UserUpdate } from './schema.ts'

/**
 * Changes a user's rights; blocking ends all of the user's sessions and keys. Throws AppError not_found, and conflict
 * for blocking oneself or leaving no admin who is not blocked.
 */
export function updateRights(tx: Tx, caller: Caller, user_id: number, update: UserUpdate): User {
  const before = getUser(tx, user_id)
  const after = withUpdate(before, update)
  if (update.is_blocked && user_id === caller.id) {
    throw new AppError('conflict', 'You cannot block yourself')
  }
  if (isActiveAdmin(before) && !isActiveAdmin(after)) requireOtherAdmin(tx, user_id)
  setRights(tx, after)

  const named = { user_id, name: before.name }
  const changes = changesBetween(rights(before), rights(after))
  if (changes) {
    audit(tx, caller, 'user_role_change', null, { ...named, ...changes })
  }
  if (after.is_blocked && !before.is_blocked) {
    const ended = { sessions_ended: deleteSessions(tx, user_id), ...endKeys(tx, user_id) }
    audit(tx, caller, 'user_block', null, { ...named, ...ended })
  }
  if (!after.is_blocked && before.is_blocked) {
    audit(tx, caller, 'user_unblock', null, named)
  }
  return after
}

interface SelfChange {
  name: string | undefined
  password_hash: string | undefined
  /** The hash that the current password has matched, if it was sent. */
  proved_hash: string | undefined
  /** Whether a new password also ends the keys. */
  end_keys: boolean | undefined
  session_id: number
  network: string | null
}

/**
 * Changes the caller's own name and password. A new password ends all of their other sessions, and their keys where
 * that is asked, and of the networks from which they have signed in, only the present one stays recognised. Throws
 * AppError conflict when the name is taken, validation_error for a new name with too many combining marks, and
 * forbidden when the password was changed since it was proved.
 */
export function updateSelf(tx: Tx, caller: Caller, change: SelfChange): User {
  const { name, password_hash, proved_hash, end_keys, session_id, network } = change
  requireLimits({ name }, caller)
  requireStillProved(tx, caller, proved_hash)
  const details: Details['user_edit'] = { user_id: caller.id, fields: [] }
  if (name !== undefined && name !== caller.name) {
    renameUser(tx, caller.id, name)
    details.fields.push('name')
    details.name = { from: caller.name, to: name }
  }
  if (password_hash !== undefined) {
    setPassword(tx, caller.id, password_hash)
    details.fields.push('password')
    details.sessions_ended = deleteSessions(tx, caller.id, session_id)
    if (end_keys) Object.assign(details, endKeys(tx, caller.id))
    removeNetworks(tx, caller.id, network)
  }
  if (details.fields.length > 0) audit(tx, caller, 'user_edit', null, details)
  return getUser(tx, caller.id)
}

/**
 * Gives another user a password. All of their sessions end, their keys where that is asked, and none of the networks
 * from which they have signed in stays recognised. Throws AppError not_found.
 */
export function resetPassword(
  tx: Tx,
  caller: Caller,
  user_id: number,
  { password_hash, end_keys }: { password_hash: string; end_keys: boolean | undefined },
): void {
  const { name } = getUser(tx, user_id)
  setPassword(tx, user_id, password_hash)
  const ended = {
    sessions_ended: deleteSessions(tx, user_id),
    ...(end_keys && endKeys(tx, user_id)),
  }
  removeNetworks(tx, user_id, null)
  audit(tx, caller, 'user_password_reset', null, { user_id, name, ...ended })
}

// An entry says nothing of keys to whoever has none.
function endKeys(tx: Tx, user_id: number): { keys_ended?: number } {
  const keys_ended = deleteKeys(tx, user_id)
  return keys_ended > 0 ? { keys_ended } : {}
}

function isActiveAdmin(user: User): boolean {
  return user.is_admin && !user.is_blocked
}

function rights({ is_admin, can_create }: User) {
  return { is_admin, can_create }
}
