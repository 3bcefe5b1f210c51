import { and, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import { accessCondition, preparedWithAccess, type Right, requireAllowed } from '../acl/access.ts'
import { AppError } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { type NamedListRequest, namedList } from '../db/named-list.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { categories, tags } from '../db/schema/tags.ts'
import { users } from '../db/schema/users.ts'
import { asSql } from '../db/sql.ts'
import { fold } from '../db/text.ts'
import type { Tx } from '../db/write.ts'

/** A category as it is loaded; `metadata` is JSON text. */
export interface CategoryRecord extends Omit<typeof categories.$inferSelect, 'name_key'> {
  creator_name: string
}

const { name_key: _, ...COLUMNS } = getTableColumns(categories)
const CATEGORY = { ...COLUMNS, creator_name: users.name }

const load = preparedWithAccess('category', { id: categories.id }, (db, given, allowed) =>
  reading({ ...CATEGORY, allowed }, (fields) =>
    db
      .select(fields)
      .from(categories)
      .innerJoin(users, eq(users.id, categories.creator_id))
      .where(eq(categories.id, given.id)),
  ),
)

/** Returns a category that the user has the right to. Throws not_found, or forbidden without it. */
export function loadCategory(db: Db, user: User, id: string, right: Right): CategoryRecord {
  return requireAllowed(load(user, right).get(db, { id, user: user.id }), 'category')
}

/** Returns a page of the categories that the viewer may view, and their total number. */
export function listCategories(
  db: Db,
  viewer: User,
  query: NamedListRequest,
): { rows: CategoryRecord[]; total: number } {
  return namedList(db, {
    table: categories,
    fields: CATEGORY,
    select: (fields) =>
      db
        .select(fields)
        .from(categories)
        .innerJoin(users, eq(users.id, categories.creator_id))
        .$dynamic(),
    visible: asSql(accessCondition(viewer, 'category', 'view', 'categories')),
    query,
  })
}

/** Returns the id and the name of the category with a row number. */
export function findCategory(db: Db, rid: number): { id: string; name: string } | undefined {
  return db.first(
    reading({ id, name }, (fields) =>
      db.select(fields).from(categories).where(eq(categories.rid, rid)),
    ),
  )
}

const { rid, id, name, name_key, notes, color, metadata, creator_id, is_public } = categories

const named = prepared({ name }, (db, given) =>
  reading({ rid }, (fields) => db.select(fields).from(categories).where(eq(name, given.name))),
)

/** Throws conflict when another category has the name. */
export function requireFreeCategoryName(db: Db, name: string, except: number | null): void {
  const found = named.get(db, { name })
  if (!found || found.rid === except) return
  throw new AppError('conflict', 'A category with this name already exists')
}

type Fields = Pick<CategoryRecord, 'name' | 'notes' | 'color' | 'metadata' | 'is_public'>

const inserted = prepared(
  { id, name, name_key, notes, color, metadata, creator_id, is_public },
  (db, given) => db.insert(categories).values(given),
)

/** Writes a new category. */
export function insertCategory(
  tx: Tx,
  category: Fields & Pick<CategoryRecord, 'id' | 'creator_id'>,
): void {
  inserted.run(tx, { ...category, name_key: fold(category.name) })
}

const updated = prepared(
  { rid, name, name_key, notes, color, metadata, is_public },
  (db, { rid, ...given }) => db.update(categories).set(given).where(eq(categories.rid, rid)),
)

/** Updates the editable columns of a category. */
export function updateCategory(tx: Tx, rid: number, category: Fields): void {
  updated.run(tx, { ...category, rid, name_key: fold(category.name) })
}

/** Returns the tags of a category by their row numbers, in order. */
export function listCategoryTags(db: Db, rid: number): number[] {
  const { category_rid } = tags
  const listed = reading({ rid: tags.rid }, (fields) =>
    db.select(fields).from(tags).where(eq(category_rid, rid)).orderBy(tags.rid),
  )
  return db.rows(listed).map((tag) => tag.rid)
}

/** Deletes a category; its tags stay, without a category. */
export function deleteCategory(tx: Tx, rid: number): void {
  tx.execute(tx.delete(categories).where(eq(categories.rid, rid)))
}

/** Writes a deleted category again under its old ids. */
export function reinsertCategory(
  tx: Tx,
  category: Fields & Pick<CategoryRecord, 'rid' | 'id' | 'creator_id'>,
): void {
  tx.execute(tx.insert(categories).values({ ...category, name_key: fold(category.name) }))
}

/** Puts those of the tags that have no category into this one, and returns their number. */
export function refillCategory(tx: Tx, rid: number, tag_rids: number[]): number {
  const listed = inArray(tags.rid, sql`(SELECT value FROM json_each(${JSON.stringify(tag_rids)}))`)
  return tx.execute(
    tx
      .update(tags)
      .set({ category_rid: rid })
      .where(and(listed, isNull(tags.category_rid))),
  )
}
