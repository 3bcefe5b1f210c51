import { accessCondition, type Right, requireAllowed } from '../acl/access.ts'
import type { Db } from '../db/client.ts'
import { blobToUuid, uuidToBlob } from '../db/columns.ts'
import { type NamedListRequest, namedList } from '../db/named-list.ts'
import { fold } from '../db/text.ts'
import { AppError } from '../errors.ts'
import type { User } from '../user.ts'

export interface CategoryRecord {
  rid: number
  id: string
  name: string
  notes: string | null
  color: string | null
  /** JSON text. */
  metadata: string | null
  creator_id: number
  creator_name: string
  is_public: boolean
}

interface RawCategory extends Omit<CategoryRecord, 'id' | 'is_public'> {
  id: Uint8Array
  is_public: number
}

const COLUMNS =
  'c.rid, c.id, c.name, c.notes, c.color, c.metadata, c.creator_id, u.name AS creator_name, c.is_public'
const FROM = 'FROM categories c JOIN users u ON u.id = c.creator_id'

function toRecord({ allowed: _, ...row }: RawCategory & { allowed?: number }): CategoryRecord {
  return { ...row, id: blobToUuid(row.id), is_public: row.is_public === 1 }
}

/** Returns a category that the user has the right to. Throws not_found, or forbidden without it. */
export function loadCategory(db: Db, user: User, id: string, right: Right): CategoryRecord {
  const allowed = accessCondition(user, 'category', right, 'c')
  return toRecord(
    requireAllowed(
      db.get<RawCategory & { allowed: number }>(
        `SELECT ${COLUMNS}, ${allowed.sql} AS allowed ${FROM} WHERE c.id = ?`,
        ...allowed.params,
        uuidToBlob(id),
      ),
      'category',
    ),
  )
}

/** Returns a page of the categories that the viewer may view, and how many there are in all. */
export function listCategories(
  db: Db,
  viewer: User,
  query: NamedListRequest,
): { rows: CategoryRecord[]; total: number } {
  const visible = accessCondition(viewer, 'category', 'view', 'c')
  const page = namedList<RawCategory>(db, {
    columns: COLUMNS,
    from: FROM,
    alias: 'c',
    visible,
    query,
  })
  return { ...page, rows: page.rows.map(toRecord) }
}

/** Throws conflict when another category has the name. */
export function requireFreeCategoryName(db: Db, name: string, except: number | null): void {
  const taken = db.get('SELECT 1 FROM categories WHERE name = ? AND rid IS NOT ?', name, except)
  if (taken) throw new AppError('conflict', 'A category with this name already exists')
}

type Fields = Pick<CategoryRecord, 'name' | 'notes' | 'color' | 'metadata' | 'is_public'>

/** Writes a new category. */
export function insertCategory(
  db: Db,
  category: Fields & Pick<CategoryRecord, 'id' | 'creator_id'>,
): void {
  db.run(
    'INSERT INTO categories (id, name, name_key, notes, color, metadata, creator_id, is_public) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    uuidToBlob(category.id),
    category.name,
    fold(category.name),
    category.notes,
    category.color,
    category.metadata,
    category.creator_id,
    Number(category.is_public),
  )
}

/** Writes the columns of a category that can change. */
export function updateCategory(db: Db, rid: number, category: Fields): void {
  db.run(
    'UPDATE categories SET name = ?, name_key = ?, notes = ?, color = ?, metadata = ?, is_public = ? WHERE rid = ?',
    category.name,
    fold(category.name),
    category.notes,
    category.color,
    category.metadata,
    Number(category.is_public),
    rid,
  )
}

/** Deletes a category; its tags stay, without a category. Returns how many tags it had. */
export function deleteCategory(db: Db, rid: number): number {
  const { tags } = db.get<{ tags: number }>(
    'SELECT count(*) AS tags FROM tags WHERE category_rid = ?',
    rid,
  )!
  db.run('DELETE FROM categories WHERE rid = ?', rid)
  return tags
}
