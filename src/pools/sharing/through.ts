import { randomUUID } from 'node:crypto'
import { listPermissions } from '../../acl/queries.ts'
import type { Permission } from '../../acl/schema.ts'
import { type Packed, pack, unpack } from '../../audit/packed.ts'
import type { Actor } from '../../audit/record.ts'
import type { User } from '../../base/user.ts'
import type { Tx } from '../../db/write.ts'
import { type Begun, beginChange, type LongChange } from '../../long-changes/change.ts'
import { filesToShare, grantThroughPool, revokeThroughPool } from './through-queries.ts'

interface Sharing {
  pool: number
  /** The files that are still to be shared. */
  files: Packed
  /** Who gets to see them; null for everybody who is on the list of the pool by then. */
  viewers: number[] | null
  /** Whether files are shared whoever created them, because an admin shares them. */
  isAdmin: boolean
}

/** Brings what people see through a pool in line with the pool and its access list. */
export const poolSharing: LongChange<Sharing, null> = {
  kind: 'share_pool',
  portion(tx, actor, state, rows) {
    const { pool, isAdmin } = state
    const files = unpack(state.files)
    const viewers = state.viewers ?? viewersOf(listPermissions(tx, 'pool', pool))
    // New people get what others see through the pool, so they get it before anybody loses it.
    if (viewers.length > 0) {
      const rids = files.splice(0, Math.ceil(rows / viewers.length))
      grantThroughPool(tx, actor.id, { pool, rids, viewers, isAdmin })
      if (files.length > 0) return { rest: { ...state, files: pack(files) } }
    }
    const isMore = revokeThroughPool(tx, pool, rows) === rows
    return isMore ? { rest: { ...state, files: pack([]) } } : { result: null }
  },
}

/** Begins to share the files of a pool after a change of the pool, or of its access list from `before` to `now`. */
export function sharePool(
  tx: Tx,
  user: User,
  pool: number,
  { before = [], now }: { before?: Permission[]; now: Permission[] },
): Begun<null> {
  const had = new Set(viewersOf(before))
  const viewers = viewersOf(now).filter((id) => !had.has(id))
  // Files that come later are shared by those who add them.
  const rids = viewers.length > 0 ? filesToShare(tx, pool) : []
  return begin(tx, user, { pool, files: pack(rids), viewers, isAdmin: user.is_admin })
}

/** Begins to share files that were put into a pool, if it shares its files: those of `user`, all of them for an admin. */
export function shareAdded(
  tx: Tx,
  user: User,
  pool: { rid: number; shares_files: boolean },
  rids: number[],
): Begun<null> {
  if (!pool.shares_files) return { result: null }
  const { is_admin: isAdmin } = user
  return begin(tx, user, { pool: pool.rid, files: pack(rids), viewers: null, isAdmin })
}

/**
 * Begins to share files that an undo has put back into a pool: those that its user has created, for an admin, too, since
 * nobody may have shared the others.
 */
export function shareRestored(tx: Tx, actor: Actor, pool: number, rids: number[]): void {
  begin(tx, actor, { pool, files: pack(rids), viewers: null, isAdmin: false })
}

/** Shares a few files that a merge has put into a pool at once, as if its user had added them. */
export function shareMerged(tx: Tx, { id, is_admin }: User, pool: number, rids: number[]): void {
  const viewers = viewersOf(listPermissions(tx, 'pool', pool))
  grantThroughPool(tx, id, { pool, rids, viewers, isAdmin: is_admin })
}

// Each portion goes by what is stored, so several changes of one pool may be under way.
function begin(tx: Tx, actor: Actor, state: Sharing): Begun<null> {
  const subject = `share pool ${state.pool} ${randomUUID()}`
  return beginChange(tx, poolSharing, { subject, actor, state })
}

function viewersOf(permissions: Permission[]): number[] {
  return permissions.filter((entry) => entry.can_view).map((entry) => entry.user_id)
}
