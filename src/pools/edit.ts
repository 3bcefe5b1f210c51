import { changesBetween } from '../audit/changes.ts'
import { type AuditAction, recordAudit } from '../audit/record.ts'
import type { WriteDeps } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { metadataText, withUpdate } from '../update.ts'
import type { User } from '../user.ts'
import { deletePool, insertPool, type PoolRecord, updatePool } from './queries.ts'
import type { PoolCreate, PoolUpdate } from './schema.ts'

/** Creates a pool inside a write and returns its id. */
export function createPool(deps: WriteDeps, user: User, fields: PoolCreate): string {
  const id = newId(deps.db, 'pools', deps.clock())
  insertPool(deps.db, {
    id,
    name: fields.name,
    notes: fields.notes ?? null,
    metadata: metadataText(fields.metadata) ?? null,
    creator_id: user.id,
    is_public: fields.is_public,
  })
  recordPool(deps, user, id, 'pool_create', { name: fields.name, is_public: fields.is_public })
  return id
}

/**
 * Edits a pool inside a write; absent fields stay as they are, and its files keep their positions.
 */
export function editPool(deps: WriteDeps, user: User, pool: PoolRecord, update: PoolUpdate): void {
  const edited = withUpdate(pool, { ...update, metadata: metadataText(update.metadata) })
  const changes = changesBetween(shown(pool), shown(edited))
  if (!changes) return
  updatePool(deps.db, pool.rid, edited)
  recordPool(deps, user, pool.id, 'pool_edit', { changes })
}

/** Deletes a pool inside a write; its files stay. */
export function removePool(deps: WriteDeps, user: User, pool: PoolRecord): void {
  const file_count = deletePool(deps.db, pool.rid)
  recordPool(deps, user, pool.id, 'pool_delete', { name: pool.name, file_count })
}

/** Writes an audit entry about a pool. */
export function recordPool(
  deps: WriteDeps,
  user: User,
  object_id: string,
  action: AuditAction,
  details: Record<string, unknown>,
): void {
  const now = deps.clock()
  recordAudit(deps.db, { user, action, object_type: 'pool', object_id, details, now })
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
