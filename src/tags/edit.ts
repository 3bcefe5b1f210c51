import { requireRoomToMake } from '../acl/limit-queries.ts'
import { changesBetween } from '../audit/changes.ts'
import type { TagFields } from '../audit/details.ts'
import { type Actor, audit } from '../audit/record.ts'
import { metadataText, withUpdate } from '../base/update.ts'
import type { User } from '../base/user.ts'
import { findCategory, loadCategory } from '../categories/queries.ts'
import type { Db } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { fold } from '../db/text.ts'
import type { Tx } from '../db/write.ts'
import { OBJECT_TEXT, requireLimits } from '../http/text-fields.ts'
import { viewTags } from './cache.ts'
import { insertTag, loadTag, requireFreeTagName, type TagRecord, updateTag } from './queries.ts'
import type { TagCreate, TagUpdate } from './schema.ts'

/**
 * Creates a tag and returns its id. Throws conflict when the name is taken or the user has reached the limit of tags,
 * and not_found or forbidden for its category.
 */
export function createTag(tx: Tx, user: User, fields: TagCreate): string {
  const category_rid = fields.category_id
    ? loadCategory(tx, user, fields.category_id, 'view').rid
    : null
  requireFreeTagName(tx, fields.name, null)
  requireRoomToMake(tx, 'tag', user.id)
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
  recordCreated(tx, user, loadTag(tx, user, id, 'view'), { file_count: 0, rule_count: 0 })
  return id
}

/** Writes the audit entry of a tag that was created or restored. */
export function recordCreated(
  tx: Tx,
  actor: Actor,
  tag: TagRecord,
  had: { file_count: number; rule_count: number; merged_into?: string },
): void {
  const { id, name, is_public } = tag
  const details = { name, is_public, fields: tagFields(tx, tag), ...had }
  audit(tx, actor, 'tag_create', { type: 'tag', id }, details)
}

/**
 * Edits a tag; absent fields stay as they are. Throws conflict when the name is taken, not_found or forbidden for a new
 * category, and a validation error for a new text beyond its limit.
 */
export function editTag(tx: Tx, user: User, tag: TagRecord, update: TagUpdate): void {
  requireLimits(update, tagFields(tx, tag), OBJECT_TEXT)
  const { category_id, ...fields } = update
  const edited = withUpdate(tag, {
    ...fields,
    metadata: metadataText(fields.metadata),
    category_rid: newCategory(tx, user, tag, category_id),
  })
  changeTag(tx, user, tag, edited)
}

/** Writes a tag's fields, if any differs. Throws conflict when the name is taken. */
export function changeTag(tx: Tx, user: User, tag: TagRecord, edited: TagRecord): void {
  const changes = changesBetween({ ...tagFields(tx, tag) }, { ...tagFields(tx, edited) })
  if (!changes) return
  requireFreeTagName(tx, edited.name, tag.rid)
  updateTag(tx, { ...edited, name_key: fold(edited.name) })
  audit(tx, user, 'tag_edit', { type: 'tag', id: tag.id }, { changes })
}

function newCategory(
  tx: Tx,
  user: User,
  tag: TagRecord,
  category_id: string | null | undefined,
): number | null {
  if (category_id === undefined) return tag.category_rid
  if (category_id !== null) return loadCategory(tx, user, category_id, 'view').rid
  // A user who can't see the category may send null back without meaning to clear it.
  const view = viewTags(tx, user)
  const known = view.byRid(tag.rid)
  return known && view.categoryOf(known) ? null : tag.category_rid
}

/** Returns the editable fields as the API shows them, and the name of the category. */
export function tagFields(
  db: Db,
  tag: Pick<TagRecord, 'name' | 'notes' | 'color' | 'metadata' | 'category_rid' | 'is_public'>,
): TagFields & { category_name: string | null } {
  const { name, notes, color, metadata, category_rid, is_public } = tag
  const category = category_rid === null ? undefined : findCategory(db, category_rid)
  return {
    name,
    notes,
    color,
    metadata: metadata && JSON.parse(metadata),
    category_id: category?.id ?? null,
    category_name: category?.name ?? null,
    is_public,
  }
}
