import { changesBetween } from '../audit/details.ts'
import { audit } from '../audit/record.ts'
import { newId } from '../db/ids.ts'
import type { Tx } from '../db/write.ts'
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

/** Creates a category and returns its id. Throws conflict when the name is taken. */
export function createCategory(tx: Tx, user: User, fields: CategoryCreate): string {
  requireFreeCategoryName(tx, fields.name, null)
  const id = newId(tx, 'categories')
  insertCategory(tx, {
    id,
    name: fields.name,
    notes: fields.notes ?? null,
    color: fields.color ?? null,
    metadata: metadataText(fields.metadata) ?? null,
    creator_id: user.id,
    is_public: fields.is_public,
  })
  const { name, is_public } = fields
  audit(tx, user, 'category_create', { type: 'category', id }, { name, is_public })
  return id
}

/**
 * Edits a category; absent fields stay as they are. Throws conflict when the name is
 * taken.
 */
export function editCategory(
  tx: Tx,
  user: User,
  category: CategoryRecord,
  update: CategoryUpdate,
): void {
  const edited = withUpdate(category, { ...update, metadata: metadataText(update.metadata) })
  const changes = changesBetween(shown(category), shown(edited))
  if (!changes) return
  requireFreeCategoryName(tx, edited.name, category.rid)
  updateCategory(tx, category.rid, edited)
  audit(tx, user, 'category_edit', { type: 'category', id: category.id }, { changes })
}

/** Deletes a category; its tags stay. */
export function removeCategory(tx: Tx, user: User, category: CategoryRecord): void {
  const tag_count = deleteCategory(tx, category.rid)
  const { id, name } = category
  audit(tx, user, 'category_delete', { type: 'category', id }, { name, tag_count })
}

/** Returns the editable fields as the API shows them. */
function shown(
  category: Pick<CategoryRecord, 'name' | 'notes' | 'color' | 'metadata' | 'is_public'>,
): Record<string, unknown> {
  const { name, notes, color, metadata, is_public } = category
  return { name, notes, color, metadata: metadata && JSON.parse(metadata), is_public }
}
