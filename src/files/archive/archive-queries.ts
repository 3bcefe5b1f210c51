import { and, eq, sql } from 'drizzle-orm'
import { preparedWithAccess } from '../../acl/access.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { reading } from '../../db/reading.ts'
import { fileDetails, files } from '../../db/schema/files.ts'

type ArchivedFile = Pick<
  typeof files.$inferSelect & typeof fileDetails.$inferSelect,
  | 'rid'
  | 'id'
  | 'original_name'
  | 'mime_extension'
  | 'content_datetime'
  | 'content_offset'
  | 'blob'
  | 'size'
>

const sizesFor = preparedWithAccess('file', { rids: 'text' }, (db, given, allowed) =>
  reading(
    {
      rids: sql<string>`json_group_array(${files.rid})`.as('rids'),
      bytes: sql<number>`total(${fileDetails.size})`.as('bytes'),
    },
    (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.rids}) AS j`)
        .crossJoin(files)
        .innerJoin(fileDetails, eq(fileDetails.file_rid, files.rid))
        .where(and(eq(files.rid, sql`j.value`), eq(files.is_deleted, false), allowed.sql)),
  ),
)

/**
 * Returns those of the files that the viewer may view and that are not in the trash, and the total size of their
 * contents in bytes.
 */
export function sizeOfViewable(
  db: Db,
  viewer: User,
  rids: number[],
): { rids: number[]; bytes: number } {
  const values = { rids: JSON.stringify(rids), user: viewer.id }
  const found = sizesFor(viewer, 'view').get(db, values)!
  return { rids: JSON.parse(found.rids), bytes: found.bytes }
}

const viewableFor = preparedWithAccess('file', { rids: 'text' }, (db, given, allowed) =>
  reading(
    {
      rid: files.rid,
      id: files.id,
      original_name: files.original_name,
      mime_extension: files.mime_extension,
      content_datetime: files.content_datetime,
      content_offset: files.content_offset,
      blob: fileDetails.blob,
      size: fileDetails.size,
    },
    (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.rids}) AS j`)
        .crossJoin(files)
        .innerJoin(fileDetails, eq(fileDetails.file_rid, files.rid))
        .where(and(eq(files.rid, sql`j.value`), eq(files.is_deleted, false), allowed.sql))
        .orderBy(sql`j.key`),
  ),
)

/** Returns those of the files that the viewer may view and that are not in the trash, in the order given. */
export function viewableFiles(db: Db, viewer: User, rids: number[]): ArchivedFile[] {
  return viewableFor(viewer, 'view').all(db, { rids: JSON.stringify(rids), user: viewer.id })
}
