import { couldEdit } from '../acl/access.ts'
import { listPermissions } from '../acl/queries.ts'
import type { Deleted, PoolFields } from '../audit/details.ts'
import { MOST_PACKED, packAll } from '../audit/packed.ts'
import { audit } from '../audit/record.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { type Begun, beginChange, type LongChange } from '../long-changes/change.ts'
import { findChange } from '../long-changes/queries.ts'
import { poolFields } from './edit.ts'
import { countInPools, type PoolRecord } from './queries.ts'
import { filesFrom } from './ranks.ts'
import { deletePool, hidePool, takeOutFirst } from './remove-queries.ts'

type Removal = Pick<Deleted<PoolFields>, 'creator_id' | 'permissions' | 'internal'>

/** Takes the files out of a deleted pool. Its audit entry was written at the beginning. */
export const poolRemoval: LongChange<Removal, null> = {
  kind: 'remove_pool',
  isDeletion: true,
  portion(tx, _, state, rows) {
    const { rid } = state.internal
    if (takeOutFirst(tx, rid, rows) === rows) return { rest: state }
    deletePool(tx, rid)
    return { result: null }
  },
}

function subjectOf(id: string): string {
  return `remove pool ${id}`
}

/**
 * Returns the deletion of a pool that is under way, for a user who could have asked for it; undefined for anybody else,
 * for whom the pool is gone.
 */
export function removalUnderWay(db: Db, user: User, id: string): Begun<null> | undefined {
  const change = findChange(db, subjectOf(id))
  if (!change) return undefined
  const removal: Removal = JSON.parse(change.state)
  return couldEdit(user, removal) ? { subject: change.subject, isJoined: true } : undefined
}

/** Deletes a pool for everybody at once, and begins to take its files out of it; they stay in the library. */
export function removePool(tx: Tx, user: User, pool: PoolRecord): Begun<null> {
  const { rid, id, name, creator_id } = pool
  const file_count = countInPools(tx, [rid])
  const removal = { creator_id, permissions: listPermissions(tx, 'pool', rid), internal: { rid } }
  // Too many files are not even read.
  const isTooLong = file_count > MOST_PACKED
  const files = isTooLong
    ? { incomplete: true as const }
    : packAll({ files: filesFrom(tx, rid, 0, file_count) })
  const details = { name, file_count, fields: poolFields(pool), ...removal, ...files }
  audit(tx, user, 'pool_delete', { type: 'pool', id }, details)
  hidePool(tx, rid)
  return beginChange(tx, poolRemoval, { subject: subjectOf(id), actor: user, state: removal })
}
