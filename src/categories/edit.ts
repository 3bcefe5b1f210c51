import { changesBetween } from '../audit/changes.ts'
import { type AuditAction, recordAudit } from '../audit/record.ts'
import type { WriteDeps } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { metadataText, withUpdate } from '../update.ts'
import type { User } from '../user.ts'
import {
  type CategoryRecord,
  deleteCategory,
  insertCategory,
  requireFreeCategoryName,
  updateCategory,
} from './queries.ts'
import type { CategoryCreate, CategoryUpdate } from './schema.ts'

/** Creates a category inside a write and returns its id. Throws conflict when the name is taken. */
export function createCategory(deps: WriteDeps, user: User, fields: CategoryCreate): string {
  const { db } = deps
  requireFreeCategoryName(db, fields.name, null)
  const id = newId(db, 'categories', deps.clock())
  insertCategory(db, {
    id,
    name: fields.name,
    notes: fields.notes ?? null,
    color: fields.color ?? null,
    metadata: metadataText(fields.metadata) ?? null,
    creator_id: user.id,
    is_public: fields.is_public,
  })
  const { name, is_public } = fields
  record(deps, user, id, 'category_create', { name, is_public })
  return id
}

/**
 * Edits a category inside a write; absent fields stay as they are. Throws conflict when the name is
 * taken.
 */
export function editCategory(
  deps: WriteDeps,
  user: User,
  category: CategoryRecord,
  update: CategoryUpdate,
): void {
  const edited = withUpdate(category, { ...update, metadata: metadataText(update.metadata) })
  const changes = changesBetween(shown(category), shown(edited))
  if (!changes) return
  requireFreeCategoryName(deps.db, edited.name, category.rid)
  updateCategory(deps.db, category.rid, edited)
  record(deps, user, category.id, 'category_edit', { changes })
}

/** Deletes a category inside a write; its tags stay. */
export function removeCategory(deps: WriteDeps, user: User, category: CategoryRecord): void {
  const tag_count = deleteCategory(deps.db, category.rid)
  record(deps, user, category.id, 'category_delete', { name: category.name, tag_count })
}

function record(
  deps: WriteDeps,
  user: User,
  object_id: string,
  action: AuditAction,
  details: Record<string, unknown>,
): void {
  const now = deps.clock()
  recordAudit(deps.db, { user, action, object_type: 'category', object_id, details, now })
}

/** Returns the editable fields as the API shows them. */
function shown(
  category: Pick<CategoryRecord, 'name' | 'notes' | 'color' | 'metadata' | 'is_public'>,
): Record<string, unknown> {
  const { name, notes, color, metadata, is_public } = category
  return { name, notes, color, metadata: metadata && JSON.parse(metadata), is_public }
}
