import { accessCondition, type Right, requireAllowed } from '../acl/access.ts'
import type { Db } from '../db/client.ts'
import { blobToUuid, uuidToBlob } from '../db/columns.ts'
import { AppError } from '../errors.ts'
import type { User } from '../user.ts'

/** The columns of a tag that are needed to change it. */
export interface TagRecord {
  rid: number
  id: string
  name: string
  notes: string | null
  color: string | null
  /** JSON text. */
  metadata: string | null
  category_rid: number | null
  creator_id: number
  is_public: boolean
  file_count: number
}

/** Returns a tag that the user has the right to. Throws not_found, or forbidden without it. */
export function loadTag(db: Db, user: User, id: string, right: Right): TagRecord {
  const allowed = accessCondition(user, 'tag', right, 't')
  const row = requireAllowed(
    db.get<RawTag>(
      `SELECT t.rid, t.id, t.name, t.notes, t.color, t.metadata, t.category_rid, t.creator_id, t.is_public, t.file_count, ${allowed.sql} AS allowed FROM tags t WHERE t.id = ?`,
      ...allowed.params,
      uuidToBlob(id),
    ),
    'tag',
  )
  const { allowed: _, ...tag } = row
  return { ...tag, id: blobToUuid(row.id), is_public: row.is_public === 1 }
}

interface RawTag extends Omit<TagRecord, 'id' | 'is_public'> {
  id: Uint8Array
  is_public: number
  allowed: number
}

/**
 * Returns the row numbers of tags that the user may view, each once. Throws not_found when one does
 * not exist, and forbidden when the user may not view one.
 */
export function loadTagRids(db: Db, user: User, ids: string[]): number[] {
  const wanted = [...new Set(ids)]
  const allowed = accessCondition(user, 'tag', 'view', 't')
  const rows = db.all<{ rid: number; allowed: number }>(
    `SELECT t.rid, ${allowed.sql} AS allowed
     FROM json_each(?) j CROSS JOIN tags t ON t.id = unhex(j.value) ORDER BY j.key`,
    ...allowed.params,
    JSON.stringify(wanted.map((id) => id.replaceAll('-', ''))),
  )
  if (rows.length < wanted.length) throw new AppError('not_found', 'There is no such tag')
  return rows.map((row) => requireAllowed(row, 'tag').rid)
}

/** Returns the ids of tags by their row numbers. */
export function tagIds(db: Db, rids: number[]): string[] {
  return db
    .all<{ id: Uint8Array }>(
      'SELECT t.id FROM json_each(?) j CROSS JOIN tags t ON t.rid = j.value',
      JSON.stringify(rids),
    )
    .map((row) => blobToUuid(row.id))
}

/** Throws conflict when another tag has the name. */
export function requireFreeTagName(db: Db, name: string, except: number | null): void {
  const taken = db.get('SELECT 1 FROM tags WHERE name = ? AND rid IS NOT ?', name, except)
  if (taken) throw new AppError('conflict', 'A tag with this name already exists')
}

/** Writes a new tag and returns its row number. */
export function insertTag(
  db: Db,
  tag: Omit<TagRecord, 'rid' | 'file_count'> & { name_key: string },
): number {
  return db.get<{ rid: number }>(
    'INSERT INTO tags (id, name, name_key, notes, color, metadata, category_rid, creator_id, is_public) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING rid',
    uuidToBlob(tag.id),
    tag.name,
    tag.name_key,
    tag.notes,
    tag.color,
    tag.metadata,
    tag.category_rid,
    tag.creator_id,
    Number(tag.is_public),
  )!.rid
}

/** Writes the columns of a tag that can change. */
export function updateTag(
  db: Db,
  tag: Pick<
    TagRecord,
    'rid' | 'name' | 'notes' | 'color' | 'metadata' | 'category_rid' | 'is_public'
  > & { name_key: string },
): void {
  db.run(
    'UPDATE tags SET name = ?, name_key = ?, notes = ?, color = ?, metadata = ?, category_rid = ?, is_public = ? WHERE rid = ?',
    tag.name,
    tag.name_key,
    tag.notes,
    tag.color,
    tag.metadata,
    tag.category_rid,
    Number(tag.is_public),
    tag.rid,
  )
}
