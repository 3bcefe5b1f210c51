import { changesBetween } from '../audit/details.ts'
import { audit } from '../audit/record.ts'
import { findCategoryName, loadCategory } from '../categories/queries.ts'
import { newId } from '../db/ids.ts'
import { fold } from '../db/text.ts'
import type { Tx } from '../db/write.ts'
import { metadataText, withUpdate } from '../update.ts'
import type { User } from '../user.ts'
import { viewTags } from './cache.ts'
import { deleteTag, insertTag, requireFreeTagName, type TagRecord, updateTag } from './queries.ts'
import type { TagCreate, TagUpdate } from './schema.ts'

/**
 * Creates a tag and returns its id. Throws conflict when the name is taken, and
 * not_found or forbidden for its category.
 */
export function createTag(tx: Tx, user: User, fields: TagCreate): string {
  const category_rid = fields.category_id
    ? loadCategory(tx, user, fields.category_id, 'view').rid
    : null
  requireFreeTagName(tx, fields.name, null)
  const id = newId(tx, 'tags')
  insertTag(tx, {
    id,
    name: fields.name,
    name_key: fold(fields.name),
    notes: fields.notes ?? null,
    color: fields.color ?? null,
    metadata: metadataText(fields.metadata) ?? null,
    category_rid,
    creator_id: user.id,
    is_public: fields.is_public,
  })
  const { name, is_public } = fields
  audit(tx, user, 'tag_create', { type: 'tag', id }, { name, is_public })
  return id
}

/**
 * Edits a tag; absent fields stay as they are. Throws conflict when the name is
 * taken, and not_found or forbidden for a new category.
 */
export function editTag(tx: Tx, user: User, tag: TagRecord, update: TagUpdate): void {
  const { category_id, ...fields } = update
  const edited = withUpdate(tag, {
    ...fields,
    metadata: metadataText(fields.metadata),
    category_rid: newCategory(tx, user, tag, category_id),
  })
  const changes = changesBetween(shown(tx, tag), shown(tx, edited))
  if (!changes) return
  requireFreeTagName(tx, edited.name, tag.rid)
  updateTag(tx, { ...edited, name_key: fold(edited.name) })
  audit(tx, user, 'tag_edit', { type: 'tag', id: tag.id }, { changes })
}

/** Deletes a tag and its rules; files lose the tag. */
export function removeTag(tx: Tx, user: User, tag: TagRecord): void {
  deleteTag(tx, tag.rid)
  const { id, name, file_count } = tag
  audit(tx, user, 'tag_delete', { type: 'tag', id }, { name, file_count })
}

function newCategory(
  tx: Tx,
  user: User,
  tag: TagRecord,
  category_id: string | null | undefined,
): number | null {
  if (category_id === undefined) return tag.category_rid
  if (category_id !== null) return loadCategory(tx, user, category_id, 'view').rid
  // A user who isn't shown the category may send null back without meaning to clear it.
  const view = viewTags(tx, user)
  const known = view.byRid(tag.rid)
  return known && view.categoryOf(known) ? null : tag.category_rid
}

/** Returns the editable fields as the API shows them. */
function shown(
  tx: Tx,
  tag: Pick<TagRecord, 'name' | 'notes' | 'color' | 'metadata' | 'category_rid' | 'is_public'>,
): Record<string, unknown> {
  const { name, notes, color, metadata, category_rid, is_public } = tag
  return {
    name,
    notes,
    color,
    metadata: metadata && JSON.parse(metadata),
    category_name: category_rid === null ? null : findCategoryName(tx, category_rid),
    is_public,
  }
}
