import { requireRoomToMake } from '../acl/limit-queries.ts'
import { listPermissions } from '../acl/queries.ts'
import { changesBetween } from '../audit/changes.ts'
import type { PoolFields } from '../audit/details.ts'
import { audit } from '../audit/record.ts'
import { AppError } from '../base/errors.ts'
import { metadataText, withUpdate } from '../base/update.ts'
import type { User } from '../base/user.ts'
import { newId } from '../db/ids.ts'
import type { Tx } from '../db/write.ts'
import { OBJECT_TEXT, requireLimits } from '../http/text-fields.ts'
import type { Begun } from '../long-changes/change.ts'
import { insertPool, loadPool, type PoolRecord, updatePool } from './queries.ts'
import type { PoolCreate, PoolUpdate } from './schema.ts'
import { sharePool } from './sharing/through.ts'
import { fitFilter } from './smart.ts'

type Sorted = Pick<PoolRecord, 'sort_key' | 'sort_order'>
const BY_HAND: Sorted = { sort_key: 'manual', sort_order: 'asc' }
const NEWEST_FIRST: Sorted = { sort_key: 'content_datetime', sort_order: 'desc' }

/**
 * Creates a pool and returns its id: in manual order, or with a filter by date, newest first, unless another order is
 * given. Throws conflict when the user has reached the limit of pools, and as `fitFilter`.
 */
export function createPool(
  tx: Tx,
  user: User,
  fields: PoolCreate,
  inOrder: Sorted | null = null,
): string {
  requireRoomToMake(tx, 'pool', user.id)
  const id = newId(tx, 'pools')
  const { name, notes = null, is_public, shares_files, filter = null } = fields
  const sorted = inOrder ?? (filter === null ? BY_HAND : NEWEST_FIRST)
  const pool = { name, notes, is_public, shares_files, filter, ...sorted }
  insertPool(tx, {
    ...{ id, creator_id: user.id, metadata: metadataText(fields.metadata) ?? null },
    ...fitFilter(tx, user, null, pool),
  })
  recordCreated(tx, user, loadPool(tx, user, id, 'view'), 0)
  return id
}

/** Writes the audit entry of a new pool, or of one that was restored with `file_count` files. */
export function recordCreated(
  tx: Tx,
  user: User,
  pool: Parameters<typeof poolFields>[0] & Pick<PoolRecord, 'id'>,
  file_count: number,
): void {
  const { id, name, is_public } = pool
  const details = { name, is_public, fields: poolFields(pool), file_count }
  audit(tx, user, 'pool_create', { type: 'pool', id }, details)
}

/**
 * Edits a pool, and begins to share its files or ends that; absent fields stay as they are, and its files keep their
 * positions. With a new filter, a pool in manual order is sorted as a new one with a filter. Throws a validation error
 * for a new text beyond its limit, forbidden when somebody who is neither its creator nor an admin changes whether it
 * shares its files, and as `fitFilter`.
 */
export function editPool(tx: Tx, user: User, pool: PoolRecord, update: PoolUpdate): Begun<null> {
  const { shares_files = pool.shares_files } = update
  const switchesSharing = shares_files !== pool.shares_files
  if (switchesSharing && !user.is_admin && user.id !== pool.creator_id) {
    throw new AppError('forbidden', 'Only its creator and admins may change `shares_files`')
  }
  requireLimits(update, poolFields(pool), OBJECT_TEXT)
  const isUnsorted = pool.sort_key === 'manual' && update.sort_key === undefined
  const sorted = isUnsorted && typeof update.filter === 'string' ? NEWEST_FIRST : {}
  const given = { ...sorted, ...update, metadata: metadataText(update.metadata) }
  const edited = fitFilter(tx, user, pool, withUpdate(pool, given))
  const changes = changesBetween({ ...poolFields(pool) }, { ...poolFields(edited) })
  if (!changes) return { result: null }
  updatePool(tx, pool.rid, edited)
  audit(tx, user, 'pool_edit', { type: 'pool', id: pool.id }, { changes })
  if (!switchesSharing) return { result: null }
  return sharePool(tx, user, pool.rid, {
    now: shares_files ? listPermissions(tx, 'pool', pool.rid) : [],
  })
}

/** Returns the editable fields as the API shows them. */
export function poolFields(
  pool: Pick<PoolRecord, 'metadata'> & Required<Omit<PoolFields, 'metadata'>>,
): Required<PoolFields> {
  const { name, notes, metadata, is_public, sort_key, sort_order, shares_files, filter } = pool
  return {
    name,
    notes,
    metadata: metadata && JSON.parse(metadata),
    is_public,
    sort_key,
    sort_order,
    shares_files,
    filter,
  }
}
