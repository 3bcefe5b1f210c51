import { changesBetween } from '../audit/details.ts'
import { audit } from '../audit/record.ts'
import { newId } from '../db/ids.ts'
import type { Tx } from '../db/write.ts'
import { metadataText, withUpdate } from '../update.ts'
import type { User } from '../user.ts'
import { deletePool, insertPool, type PoolRecord, updatePool } from './queries.ts'
import type { PoolCreate, PoolUpdate } from './schema.ts'

/** Creates a pool and returns its id. */
export function createPool(tx: Tx, user: User, fields: PoolCreate): string {
  const id = newId(tx, 'pools')
  insertPool(tx, {
    id,
    name: fields.name,
    notes: fields.notes ?? null,
    metadata: metadataText(fields.metadata) ?? null,
    creator_id: user.id,
    is_public: fields.is_public,
  })
  const { name, is_public } = fields
  audit(tx, user, 'pool_create', { type: 'pool', id }, { name, is_public })
  return id
}

/**
 * Edits a pool; absent fields stay as they are, and its files keep their positions.
 */
export function editPool(tx: Tx, user: User, pool: PoolRecord, update: PoolUpdate): void {
  const edited = withUpdate(pool, { ...update, metadata: metadataText(update.metadata) })
  const changes = changesBetween(shown(pool), shown(edited))
  if (!changes) return
  updatePool(tx, pool.rid, edited)
  audit(tx, user, 'pool_edit', { type: 'pool', id: pool.id }, { changes })
}

/** Deletes a pool; its files stay. */
export function removePool(tx: Tx, user: User, pool: PoolRecord): void {
  const file_count = deletePool(tx, pool.rid)
  const { id, name } = pool
  audit(tx, user, 'pool_delete', { type: 'pool', id }, { name, file_count })
}

/** Returns the editable fields as the API shows them. */
function shown(
  pool: Pick<PoolRecord, 'name' | 'notes' | 'metadata' | 'is_public' | 'sort_key' | 'sort_order'>,
): Record<string, unknown> {
  const { name, notes, metadata, is_public, sort_key, sort_order } = pool
  return {
    name,
    notes,
    metadata: metadata && JSON.parse(metadata),
    is_public,
    sort_key,
    sort_order,
  }
}
