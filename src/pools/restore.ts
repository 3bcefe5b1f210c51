import { requireRoomToMake } from '../acl/limit-queries.ts'
import { heirOf, restorePermissions } from '../acl/queries.ts'
import type { Details } from '../audit/details.ts'
import { type Packed, pack, unpack } from '../audit/packed.ts'
import { metadataText } from '../base/update.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { filesByRid } from '../files/queries.ts'
import { beginChange, type LongChange } from '../long-changes/change.ts'
import { recordCreated } from './edit.ts'
import { insertAt } from './positions.ts'
import { countExisting, reinsertPool, showPool } from './queries.ts'
import { shareRestored } from './sharing/through.ts'
import { filesToShare } from './sharing/through-queries.ts'
import { requireUnnamed } from './smart.ts'

interface Restoration {
  rid: number
  /** The remaining files, by their row numbers, in their order. */
  files: Packed
}

/** Puts back those of the former files that still exist; then the pool becomes visible again. */
export const poolRestoration: LongChange<Restoration, null> = {
  kind: 'restore_pool',
  portion(tx, actor, { rid, files }, rows) {
    const left = unpack(files)
    const now = filesByRid(tx, left.splice(0, rows)).map((file) => file.rid)
    insertAt(tx, rid, now, Number.MAX_SAFE_INTEGER)
    if (left.length > 0) return { rest: { rid, files: pack(left) } }
    showPool(tx, rid)
    shareRestored(tx, actor, rid, filesToShare(tx, rid))
    return { result: null }
  },
}

/**
 * Recreates a deleted pool with its rights, and begins to put its files back; the pool stays hidden until the last one
 * is there. Throws conflict when its creator has reached the limit of pools, and for one that fills itself and that a
 * filter names.
 */
export function restorePool(
  tx: Tx,
  user: User,
  id: string,
  deleted: Details['pool_delete'] & { files: Packed },
): void {
  const { fields, internal, permissions, files } = deleted
  const { rid } = internal
  const creator_id = heirOf(tx, deleted.creator_id, user)
  requireRoomToMake(tx, 'pool', creator_id)
  if (fields.filter) requireUnnamed(tx, user, id)
  const pool = {
    ...{ shares_files: false, filter: null },
    ...fields,
    metadata: metadataText(fields.metadata) ?? null,
    id,
  }
  reinsertPool(tx, { ...pool, rid, creator_id })
  restorePermissions(tx, { type: 'pool', rid }, permissions)
  recordCreated(tx, user, pool, countExisting(tx, unpack(files)))
  beginChange(tx, poolRestoration, {
    subject: `restore pool ${id}`,
    actor: user,
    state: { rid, files },
  })
}
