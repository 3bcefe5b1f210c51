import { findObject, heirOf, listPermissions, restorePermissions } from '../acl/queries.ts'
import { changesBetween } from '../audit/changes.ts'
import type { Details, TagFields } from '../audit/details.ts'
import { MOST_PACKED, type Packed, packAll, unpack } from '../audit/packed.ts'
import { audit } from '../audit/record.ts'
import { findCategory, loadCategory } from '../categories/queries.ts'
import type { Db } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { fold } from '../db/text.ts'
import type { Tx } from '../db/write.ts'
import { metadataText, withUpdate } from '../update.ts'
import type { User } from '../user.ts'
import { putBack } from './apply.ts'
import { viewTags } from './cache.ts'
import {
  deleteTag,
  filesVersion,
  insertTag,
  listFilesWith,
  loadTag,
  reinsertTag,
  requireFreeTagName,
  type TagRecord,
  updateTag,
} from './queries.ts'
import { restoreRules, rulesAbout } from './rule-queries.ts'
import type { TagCreate, TagUpdate } from './schema.ts'

/**
 * Creates a tag and returns its id. Throws conflict when the name is taken, and not_found or
 * forbidden for its category.
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
  recordCreated(tx, user, loadTag(tx, user, id, 'view'), 0)
  return id
}

function recordCreated(tx: Tx, user: User, tag: TagRecord, rule_count: number): void {
  const { id, name, is_public, file_count } = tag
  const details = { name, is_public, fields: tagFields(tx, tag), file_count, rule_count }
  audit(tx, user, 'tag_create', { type: 'tag', id }, details)
}

/**
 * Edits a tag; absent fields stay as they are. Throws conflict when the name is taken, and
 * not_found or forbidden for a new category.
 */
export function editTag(tx: Tx, user: User, tag: TagRecord, update: TagUpdate): void {
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

/** Deletes a tag and its rules; files lose the tag. */
export function removeTag(tx: Tx, user: User, tag: TagRecord): void {
  const { rid, id, name, file_count, creator_id } = tag
  const details = {
    name,
    file_count,
    creator_id,
    fields: tagFields(tx, tag),
    rules: rulesAbout(tx, rid),
    permissions: listPermissions(tx, 'tag', rid),
    ...filesWith(tx, tag),
    internal: { rid, files_version: filesVersion(tx, rid) },
  }
  deleteTag(tx, rid)
  audit(tx, user, 'tag_delete', { type: 'tag', id }, details)
}

/** Returns the files that carry a tag, as the details of its deletion hold them. */
function filesWith(tx: Tx, { rid, file_count }: TagRecord) {
  if (file_count > MOST_PACKED) return { incomplete: true } as const
  const rows = listFilesWith(tx, rid)
  const ridsOf = (by_hand: boolean) =>
    rows.filter((row) => row.by_hand === by_hand).map((row) => row.file_rid)
  return packAll({ by_hand: ridsOf(true), by_rule: ridsOf(false) })
}

/**
 * Makes a deleted tag again, with its rights, and with what still exists of its category, its rules
 * and its files; returns how many rules it got. Throws conflict when its name is taken.
 */
export function restoreTag(
  tx: Tx,
  user: User,
  id: string,
  deleted: Details['tag_delete'] & { by_hand: Packed; by_rule: Packed },
): number {
  const { internal, permissions } = deleted
  const { category_id, ...fields } = deleted.fields
  requireFreeTagName(tx, fields.name, null)
  const category = category_id === null ? undefined : findObject(tx, 'category', category_id)
  reinsertTag(tx, {
    ...fields,
    metadata: metadataText(fields.metadata),
    id,
    rid: internal.rid,
    creator_id: heirOf(tx, deleted.creator_id, user),
    category_rid: category?.rid ?? null,
    files_version: internal.files_version + 1,
  })
  restorePermissions(tx, { type: 'tag', rid: internal.rid }, permissions)
  putBack(tx, internal.rid, unpack(deleted.by_hand), true)
  putBack(tx, internal.rid, unpack(deleted.by_rule), false)
  const rule_count = restoreRules(tx, deleted.rules)
  recordCreated(tx, user, loadTag(tx, user, id, 'edit'), rule_count)
  return rule_count
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
