import { requireKnownUsers } from '../../acl/queries.ts'
import { auditMany } from '../../audit/record.ts'
import { invalid } from '../../base/errors.ts'
import type { User } from '../../base/user.ts'
import type { Tx } from '../../db/write.ts'
import { PAIR_LIMIT, resultOf, ridsOf } from '../../files/bulk/bulk.ts'
import type { BulkResult } from '../../files/bulk/schema.ts'
import { editFiles } from '../../files/bulk/update.ts'
import { listFields } from '../../files/bulk/update-queries.ts'
import { FILE_LIMIT } from '../../files/schema.ts'
import { loadPool } from '../queries.ts'
import { requireByHand } from '../smart.ts'
import type { BulkShare } from './schema.ts'
import {
  addEntries,
  findCreators,
  idsInPool,
  permissionsOf,
  removeEntries,
} from './share-queries.ts'

// Limits how many files' lists are in memory at once.
const LISTS_AT_ONCE = 1000

const recorded = auditMany('acl_change', 'file')

/**
 * Adds users to the access lists of those of the files that the user created, or of all files for an admin, removes
 * others, and makes the files public or private. Skips the other files. Throws not_found or forbidden for the pool,
 * conflict for one that fills itself, and a validation error for an unknown user, for a pool in which the user sees
 * more than 10,000 files, and for more than 40,000 files × users.
 */
export function bulkShare(tx: Tx, user: User, request: BulkShare): BulkResult {
  const ids = request.file_ids ?? filesOfPool(tx, user, request.pool_id!)
  requireKnownUsers(tx, 'add', request.add)
  const owned = findCreators(tx, ids).filter((file) => user.is_admin || file.creator_id === user.id)
  const users = request.add.length + request.remove.length
  if (owned.length * users > PAIR_LIMIT) {
    const field = request.file_ids ? 'file_ids' : 'pool_id'
    throw invalid(field, `must be fewer: files times users may be at most ${PAIR_LIMIT}`)
  }
  const changed = new Set<number>()
  for (let from = 0; from < owned.length; from += LISTS_AT_ONCE) {
    const files = owned.slice(from, from + LISTS_AT_ONCE)
    for (const rid of changeLists(tx, user, files, request)) changed.add(rid)
  }
  const { is_public } = request
  if (is_public !== undefined) {
    const fields = listFields(tx, ridsOf(owned)).filter((file) => file.is_public !== is_public)
    editFiles(tx, user, fields, { is_public })
    for (const { rid } of fields) changed.add(rid)
  }
  return resultOf(ids, owned, changed.size)
}

function filesOfPool(tx: Tx, user: User, pool_id: string): string[] {
  const pool = loadPool(tx, user, pool_id, 'view')
  requireByHand(pool)
  const ids = idsInPool(tx, user, pool.rid, FILE_LIMIT + 1)
  if (ids.length <= FILE_LIMIT) return ids
  throw invalid('pool_id', `must be a pool in which you see at most ${FILE_LIMIT} files`)
}

function changeLists(
  tx: Tx,
  user: User,
  files: { rid: number; id: string }[],
  { add, remove }: BulkShare,
): number[] {
  if (add.length + remove.length === 0) return []
  const rids = ridsOf(files)
  const before = permissionsOf(tx, rids)
  removeEntries(tx, rids, remove)
  addEntries(tx, rids, add)
  const after = permissionsOf(tx, rids)
  const differing = files.flatMap(({ rid, id }) => {
    const details = { from: before.get(rid)!, to: after.get(rid)! }
    const isSame = JSON.stringify(details.from) === JSON.stringify(details.to)
    return isSame ? [] : [{ rid, id, details }]
  })
  recorded(tx, user, differing)
  return ridsOf(differing)
}
