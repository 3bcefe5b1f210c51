import { and, eq, gt, sql } from 'drizzle-orm'
import { preparedWithAccess } from '../../acl/access.ts'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { files, fileTags } from '../../db/schema/files.ts'
import { tags } from '../../db/schema/tags.ts'
import type { User } from '../../user.ts'

const { rid, files_version, file_count, is_deleted } = tags

const carriedTags = prepared({}, (db) =>
  db
    .select({ rid, files_version })
    .from(tags)
    .where(and(gt(file_count, 0), eq(is_deleted, false))),
)

/** Returns the tags that are on files, with what changes whenever the set of these does. */
export function tagsOnFiles(db: Db): { rid: number; files_version: number }[] {
  return carriedTags.all(db, {})
}

const carriers = prepared(
  { tag_rid: fileTags.tag_rid, after: fileTags.file_rid, limit: 'number' },
  (db, given) => {
    const { tag_rid, file_rid } = fileTags
    const next = sql`(SELECT ${file_rid} AS rid FROM ${fileTags} WHERE ${tag_rid} = ${given.tag_rid}
      AND ${file_rid} > ${given.after} ORDER BY ${file_rid} LIMIT ${given.limit})`
    return db.select({ rids: sql<string>`json_group_array(rid)`.as('rids') }).from(next)
  },
)

/** Returns the next files that carry a tag, by their row numbers, ascending. */
export function filesCarrying(
  db: Db,
  tag_rid: number,
  { after, limit }: { after: number; limit: number },
): number[] {
  // One JSON text is quicker than many rows.
  return JSON.parse(carriers.get(db, { tag_rid, after, limit })!.rids)
}

const stretchOf = preparedWithAccess(
  'file',
  { after: files.rid, is_deleted: files.is_deleted, length: 'number' },
  (db, given, allowed) => {
    const seen = sql`${files.is_deleted} = ${given.is_deleted} AND ${allowed.sql}`
    return db
      .select({
        rids: sql<string>`json_group_array(${files.rid}) FILTER (WHERE ${seen})`.as('rids'),
      })
      .from(files)
      .where(and(gt(files.rid, given.after), sql`${files.rid} <= ${given.after} + ${given.length}`))
  },
)

/** Returns those of the files with the next `length` row numbers, in the trash or not, that the viewer may view. */
export function seenStretch(
  db: Db,
  viewer: User,
  { after, trash, length }: { after: number; trash: boolean; length: number },
): number[] {
  const values = { after, length, is_deleted: trash, user: viewer.id }
  return JSON.parse(stretchOf(viewer, 'view').get(db, values)!.rids)
}
