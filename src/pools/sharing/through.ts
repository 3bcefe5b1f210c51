import { randomUUID } from 'node:crypto'
import { listPermissions } from '../../acl/queries.ts'
import type { Permission } from '../../acl/schema.ts'
import { type Packed, pack, unpack } from '../../audit/packed.ts'
import type { User } from '../../base/user.ts'
import type { Tx } from '../../db/write.ts'
import { type Begun, beginChange, type LongChange } from '../../long-changes/change.ts'
import type { PoolRecord } from '../queries.ts'
import { filesAfter, grantThroughPool, revokeThroughPool } from './through-queries.ts'

interface Sharing {
  pool: number
  /** Who gets to see files; who no longer does is seen from the pool and its access list. */
  gained: number[]
  /** The files up to this one have been shared. */
  after: number
  /** The files to share; all of the pool if absent. */
  files?: Packed
}

/** Brings what people see through a pool in line with the pool and its access list. */
export const poolSharing: LongChange<Sharing, null> = {
  kind: 'share_pool',
  portion(tx, actor, state, rows) {
    const { pool, gained, after, files } = state
    if (revokeThroughPool(tx, pool, rows) === rows) return { rest: state }
    if (gained.length === 0) return { result: null }
    const limit = Math.ceil(rows / gained.length)
    const rids = files
      ? unpack(files)
          .filter((rid) => rid > after)
          .slice(0, limit)
      : filesAfter(tx, pool, after, limit)
    grantThroughPool(tx, actor.id, { pool, rids, only: gained })
    if (rids.length < limit) return { result: null }
    return { rest: { ...state, after: rids.at(-1)! } }
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
  const gained = viewersOf(now).filter((id) => !had.has(id))
  return begin(tx, user, { pool, gained, after: 0 })
}

/** Begins to share files that were put into a pool, if it shares its files. */
export function shareAdded(
  tx: Tx,
  user: User,
  { rid, shares_files }: Pick<PoolRecord, 'rid' | 'shares_files'>,
  rids: number[],
): Begun<null> {
  if (!shares_files) return { result: null }
  const gained = viewersOf(listPermissions(tx, 'pool', rid))
  const files = pack(rids.toSorted((a, b) => a - b))
  return begin(tx, user, { pool: rid, gained, after: 0, files })
}

// Each portion goes by what is stored, so several changes of one pool may be under way.
function begin(tx: Tx, user: User, state: Sharing): Begun<null> {
  const subject = `share pool ${state.pool} ${randomUUID()}`
  return beginChange(tx, poolSharing, { subject, actor: user, state })
}

function viewersOf(permissions: Permission[]): number[] {
  return permissions.filter((entry) => entry.can_view).map((entry) => entry.user_id)
}
