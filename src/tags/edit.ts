import { changesBetween } from '../audit/changes.ts'
import { recordAudit } from '../audit/record.ts'
import { findCategoryName, loadCategory } from '../categories/queries.ts'
import type { WriteDeps } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { fold } from '../db/text.ts'
import { metadataText, withUpdate } from '../update.ts'
import type { User } from '../user.ts'
import { viewTags } from './cache.ts'
import { deleteTag, insertTag, requireFreeTagName, type TagRecord, updateTag } from './queries.ts'
import type { TagCreate, TagUpdate } from './schema.ts'

/**
 * Creates a tag inside a write and returns its id. Throws conflict when the name is taken, and
 * not_found or forbidden for its category.
 */
export function createTag(deps: WriteDeps, user: User, fields: TagCreate): string {
  const { db } = deps
  const now = deps.clock()
  const category_rid = fields.category_id
    ? loadCategory(db, user, fields.category_id, 'view').rid
    : null
  requireFreeTagName(db, fields.name, null)
  const id = newId(db, 'tags', now)
  insertTag(db, {
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
  recordAudit(db, {
    user,
    action: 'tag_create',
    object_type: 'tag',
    object_id: id,
    details: { name: fields.name, is_public: fields.is_public },
    now,
  })
  return id
}

/**
 * Edits a tag inside a write; absent fields stay as they are. Throws conflict when the name is
 * taken, and not_found or forbidden for a new category.
 */
export function editTag(deps: WriteDeps, user: User, tag: TagRecord, update: TagUpdate): void {
  const { db } = deps
  const { category_id, ...fields } = update
  const edited = withUpdate(tag, {
    ...fields,
    metadata: metadataText(fields.metadata),
    category_rid: newCategory(deps, user, tag, category_id),
  })
  const changes = changesBetween(shown(deps, tag), shown(deps, edited))
  if (!changes) return
  requireFreeTagName(db, edited.name, tag.rid)
  updateTag(db, { ...edited, name_key: fold(edited.name) })
  recordAudit(db, {
    user,
    action: 'tag_edit',
    object_type: 'tag',
    object_id: tag.id,
    details: { changes },
    now: deps.clock(),
  })
}

/** Deletes a tag and its rules inside a write; files lose the tag. */
export function removeTag(deps: WriteDeps, user: User, tag: TagRecord): void {
  deleteTag(deps.db, tag.rid)
  recordAudit(deps.db, {
    user,
    action: 'tag_delete',
    object_type: 'tag',
    object_id: tag.id,
    details: { name: tag.name, file_count: tag.file_count },
    now: deps.clock(),
  })
}

function newCategory(
  deps: WriteDeps,
  user: User,
  tag: TagRecord,
  category_id: string | null | undefined,
): number | null {
  if (category_id === undefined) return tag.category_rid
  if (category_id !== null) return loadCategory(deps.db, user, category_id, 'view').rid
  // A user who isn't shown the category may send null back without meaning to clear it.
  const view = viewTags(deps.db, user)
  const known = view.byRid(tag.rid)
  return known && view.categoryOf(known) ? null : tag.category_rid
}

/** Returns the editable fields as the API shows them. */
function shown(
  deps: WriteDeps,
  tag: Pick<TagRecord, 'name' | 'notes' | 'color' | 'metadata' | 'category_rid' | 'is_public'>,
): Record<string, unknown> {
  const { name, notes, color, metadata, category_rid, is_public } = tag
  return {
    name,
    notes,
    color,
    metadata: metadata && JSON.parse(metadata),
    category_name: category_rid === null ? null : findCategoryName(deps.db, category_rid),
    is_public,
  }
}
