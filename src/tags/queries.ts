import { and, eq, getTableColumns, inArray, or, sql } from 'drizzle-orm'
import { preparedWithAccess, type Right, requireAllowed } from '../acl/access.ts'
import { AppError } from '../base/errors.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { fileTags } from '../db/schema/files.ts'
import { tagRules, tags } from '../db/schema/tags.ts'
import { fold } from '../db/text.ts'
import type { Tx } from '../db/write.ts'

/** The columns of a tag that are needed to change it; `metadata` is JSON text. */
export type TagRecord = Omit<typeof tags.$inferSelect, 'name_key' | 'is_deleted'>

const { name_key: _, is_deleted: __, ...TAG } = getTableColumns(tags)

const load = preparedWithAccess('tag', { id: tags.id }, (db, given, allowed) =>
  reading({ ...TAG, allowed }, (fields) =>
    db
      .select(fields)
      .from(tags)
      .where(and(eq(tags.id, given.id), eq(tags.is_deleted, false))),
  ),
)

/** Returns a tag that the user has the right to. Throws not_found, or forbidden without it. */
export function loadTag(db: Db, user: User, id: string, right: Right): TagRecord {
  return requireAllowed(load(user, right).get(db, { id, user: user.id }), 'tag')
}

const byRid = prepared({ rid: tags.rid }, (db, given) =>
  reading(TAG, (fields) => db.select(fields).from(tags).where(eq(tags.rid, given.rid))),
)

/** Returns a tag by its row number; the tag must exist. */
export function loadTagByRid(db: Db, rid: number): TagRecord {
  return byRid.get(db, { rid })!
}

const loadRids = preparedWithAccess('tag', { ids: 'text' }, (db, given, allowed) =>
  reading({ rid: tags.rid, allowed }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.ids}) AS j`)
      .crossJoin(tags)
      .where(and(eq(tags.id, sql`unhex(j.value)`), eq(tags.is_deleted, false)))
      .orderBy(sql`j.key`),
  ),
)

/**
 * Returns the row numbers of tags that the user may view, each once. Throws not_found when one does not exist, and
 * forbidden when the user may not view one.
 */
export function loadTagRids(db: Db, user: User, ids: string[]): number[] {
  const wanted = [...new Set(ids)]
  const rows = loadRids(user, 'view').all(db, {
    ids: JSON.stringify(wanted.map((id) => id.replaceAll('-', ''))),
    user: user.id,
  })
  if (rows.length < wanted.length) throw new AppError('not_found', 'There is no such tag')
  return rows.map((row) => requireAllowed(row, 'tag').rid)
}

const idsOf = prepared({ rids: 'text' }, (db, given) =>
  reading({ rid: tags.rid, id: tags.id }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.rids}) AS j`)
      .crossJoin(tags)
      .where(eq(tags.rid, sql`j.value`))
      .orderBy(sql`j.key`),
  ),
)

/** Returns the ids of tags by their row numbers, in the same order. */
export function tagIds(db: Db, rids: number[]): string[] {
  return tagIdsByRid(db, rids).map(([, id]) => id)
}

/** Returns the row numbers of tags, each with its id. */
export function tagIdsByRid(db: Db, rids: number[]): [rid: number, id: string][] {
  return idsOf.all(db, { rids: JSON.stringify(rids) }).map((row) => [row.rid, row.id])
}

const standing = prepared({ rids: 'text' }, (db, given) =>
  reading({ rid: tags.rid }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.rids}) AS j`)
      .crossJoin(tags)
      .where(and(eq(tags.rid, sql`j.value`), eq(tags.is_deleted, false)))
      .orderBy(sql`j.key`),
  ),
)

/** Returns those of the tags that have not been deleted, by their row numbers, in the same order. */
export function standingTags(db: Db, rids: number[]): number[] {
  return standing.all(db, { rids: JSON.stringify(rids) }).map((row) => row.rid)
}

const { rid, id, name, name_key, notes, color, metadata, category_rid } = tags
const { creator_id, is_public } = tags

const longTextsOf = prepared({ rids: 'text' }, (db, given) =>
  reading({ rid, notes, metadata }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.rids}) AS j`)
      .crossJoin(tags)
      .where(eq(rid, sql`j.value`)),
  ),
)

/** Returns the long fields of tags, by their row numbers; metadata is JSON text. */
export function longTexts(
  db: Db,
  rids: number[],
): { rid: number; notes: string | null; metadata: string | null }[] {
  return longTextsOf.all(db, { rids: JSON.stringify(rids) })
}

const named = prepared({ name }, (db, given) =>
  reading({ rid }, (fields) => db.select(fields).from(tags).where(eq(name, given.name))),
)

/** Throws conflict when another tag has the name. */
export function requireFreeTagName(db: Db, name: string, except: number | null): void {
  const found = named.get(db, { name })
  if (!found || found.rid === except) return
  throw new AppError('conflict', 'A tag with this name already exists')
}

const inserted = prepared(
  { id, name, name_key, notes, color, metadata, category_rid, creator_id, is_public },
  (db, given) => reading({ rid }, (fields) => db.insert(tags).values(given).returning(fields)),
)

/** Writes a new tag and returns its row number. */
export function insertTag(
  tx: Tx,
  tag: Omit<TagRecord, 'rid' | 'file_count'> & { name_key: string },
): number {
  return inserted.get(tx, tag)!.rid
}

const updated = prepared(
  { rid, name, name_key, notes, color, metadata, category_rid, is_public },
  (db, { rid, ...given }) => db.update(tags).set(given).where(eq(tags.rid, rid)),
)

/** Updates the editable columns of a tag. */
export function updateTag(
  tx: Tx,
  tag: Pick<
    TagRecord,
    'rid' | 'name' | 'notes' | 'color' | 'metadata' | 'category_rid' | 'is_public'
  > & { name_key: string },
): void {
  updated.run(tx, tag)
}

/** Writes a deleted tag again under its old ids, without its files. */
export function reinsertTag(
  tx: Tx,
  tag: Omit<typeof tags.$inferSelect, 'name_key' | 'file_count' | 'is_deleted'>,
): void {
  tx.execute(tx.insert(tags).values({ ...tag, name_key: fold(tag.name) }))
}

/**
 * Hides a tag that is being deleted: its name and its id are free at once, and no search by its former id, its category
 * or its rules finds it.
 */
export function hideTag(tx: Tx, rid: number): void {
  // Ids ascend, so the id of a newer tag must not be lower.
  const nobodys = newId(tx, 'tags')
  tx.execute(
    tx
      .update(tags)
      .set({ id: nobodys, name: nobodys, name_key: '', category_rid: null, is_deleted: true })
      .where(eq(tags.rid, rid)),
  )
  deleteRulesAbout(tx, rid)
}

/** Deletes the rules that have a tag on either side. */
export function deleteRulesAbout(tx: Tx, rid: number): void {
  tx.execute(
    tx.delete(tagRules).where(or(eq(tagRules.when_tag_rid, rid), eq(tagRules.then_tag_rid, rid))),
  )
}

const firstFiles = prepared({ tag_rid: fileTags.tag_rid, limit: 'number' }, (db, given) => {
  const { file_rid, tag_rid, by_hand } = fileTags
  const first = sql`(SELECT ${file_rid} FROM ${fileTags}
    WHERE ${tag_rid} = ${given.tag_rid} ORDER BY ${file_rid} LIMIT ${given.limit})`
  return reading({ file_rid, by_hand }, (fields) =>
    db
      .delete(fileTags)
      .where(and(eq(tag_rid, given.tag_rid), inArray(file_rid, first)))
      .returning(fields),
  )
})

/** Takes a tag off the first files that have it and returns these, by row number. */
export function takeOffFirst(
  tx: Tx,
  tag_rid: number,
  limit: number,
): { file_rid: number; by_hand: boolean }[] {
  return firstFiles.all(tx, { tag_rid, limit }).sort((a, b) => a.file_rid - b.file_rid)
}

/** Deletes a tag that is no longer on any file. */
export function deleteTag(tx: Tx, rid: number): void {
  tx.execute(tx.delete(tags).where(eq(tags.rid, rid)))
}
