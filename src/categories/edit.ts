import { requireRoomToMake } from '../acl/limit-queries.ts'
import { heirOf, listPermissions, restorePermissions } from '../acl/queries.ts'
import { changesBetween } from '../audit/changes.ts'
import type { CategoryFields, Details } from '../audit/details.ts'
import { type Packed, packAll, unpack } from '../audit/packed.ts'
import { audit } from '../audit/record.ts'
import { metadataText, withUpdate } from '../base/update.ts'
import type { User } from '../base/user.ts'
import { newId } from '../db/ids.ts'
import type { Tx } from '../db/write.ts'
import { OBJECT_TEXT, requireLimits } from '../http/text-fields.ts'
import {
  type CategoryRecord,
  deleteCategory,
  insertCategory,
  listCategoryTags,
  loadCategory,
  refillCategory,
  reinsertCategory,
  requireFreeCategoryName,
  updateCategory,
} from './queries.ts'
import type { CategoryCreate, CategoryUpdate } from './schema.ts'

/**
 * Creates a category and returns its id. Throws conflict when the name is taken or the user has reached the limit of
 * categories.
 */
export function createCategory(tx: Tx, user: User, fields: CategoryCreate): string {
  requireFreeCategoryName(tx, fields.name, null)
  requireRoomToMake(tx, 'category', user.id)
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
  recordCreated(tx, user, loadCategory(tx, user, id, 'view'), 0)
  return id
}

function recordCreated(tx: Tx, user: User, category: CategoryRecord, tag_count: number): void {
  const { id, name, is_public } = category
  const details = { name, is_public, fields: categoryFields(category), tag_count }
  audit(tx, user, 'category_create', { type: 'category', id }, details)
}

/**
 * Edits a category; absent fields stay as they are. Throws conflict when the name is taken, and a validation error for
 * a new text beyond its limit.
 */
export function editCategory(
  tx: Tx,
  user: User,
  category: CategoryRecord,
  update: CategoryUpdate,
): void {
  requireLimits(update, categoryFields(category), OBJECT_TEXT)
  const edited = withUpdate(category, { ...update, metadata: metadataText(update.metadata) })
  const changes = changesBetween({ ...categoryFields(category) }, { ...categoryFields(edited) })
  if (!changes) return
  requireFreeCategoryName(tx, edited.name, category.rid)
  updateCategory(tx, category.rid, edited)
  audit(tx, user, 'category_edit', { type: 'category', id: category.id }, { changes })
}

/** Deletes a category; its tags stay. */
export function removeCategory(tx: Tx, user: User, category: CategoryRecord): void {
  const { rid, id, name, creator_id } = category
  const tags = listCategoryTags(tx, rid)
  const details = {
    name,
    tag_count: tags.length,
    creator_id,
    fields: categoryFields(category),
    permissions: listPermissions(tx, 'category', rid),
    ...packAll({ tags }),
    internal: { rid },
  }
  deleteCategory(tx, rid)
  audit(tx, user, 'category_delete', { type: 'category', id }, details)
}

/**
 * Recreates a deleted category with its rights, and with those of its tags that have no category now. Throws conflict
 * when its name is taken or its creator has reached the limit of categories.
 */
export function restoreCategory(
  tx: Tx,
  user: User,
  id: string,
  deleted: Details['category_delete'] & { tags: Packed },
): void {
  const { fields, internal, permissions } = deleted
  requireFreeCategoryName(tx, fields.name, null)
  const creator_id = heirOf(tx, deleted.creator_id, user)
  requireRoomToMake(tx, 'category', creator_id)
  const metadata = metadataText(fields.metadata)
  reinsertCategory(tx, { ...fields, metadata, id, rid: internal.rid, creator_id })
  restorePermissions(tx, { type: 'category', rid: internal.rid }, permissions)
  const tag_count = refillCategory(tx, internal.rid, unpack(deleted.tags))
  recordCreated(tx, user, loadCategory(tx, user, id, 'edit'), tag_count)
}

/** Returns the editable fields as the API shows them. */
export function categoryFields(
  category: Pick<CategoryRecord, 'name' | 'notes' | 'color' | 'metadata' | 'is_public'>,
): CategoryFields {
  const { name, notes, color, metadata, is_public } = category
  return { name, notes, color, metadata: metadata && JSON.parse(metadata), is_public }
}
