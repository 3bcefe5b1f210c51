import { and, eq, gt, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { fileTags } from '../../db/schema/files.ts'
import { tags } from '../../db/schema/tags.ts'

const { rid, files_version, file_count, is_deleted } = tags

const carriedTags = prepared({}, (db) =>
  db
    .select({ rid, files_version, file_count })
    .from(tags)
    .where(and(gt(file_count, 0), eq(is_deleted, false))),
)

/** A tag that is on files. */
export type CarriedTag = Pick<typeof tags.$inferSelect, 'rid' | 'files_version' | 'file_count'>

/** Returns the tags that are on files. */
export function tagsOnFiles(db: Db): CarriedTag[] {
  return carriedTags.all(db, {})
}

const carriers = prepared(
  { tag_rid: fileTags.tag_rid, after: fileTags.file_rid, last: fileTags.file_rid },
  (db, { after, last, ...given }) => {
    const { tag_rid, file_rid } = fileTags
    return db
      .select({ rids: sql<string>`json_group_array(${file_rid})`.as('rids') })
      .from(fileTags)
      .where(and(eq(tag_rid, given.tag_rid), gt(file_rid, after), lte(file_rid, last)))
  },
)

/** Returns the files that carry a tag, by their row numbers: those after one, up to another. */
export function filesCarrying(
  db: Db,
  tag_rid: number,
  { after, last }: { after: number; last: number },
): number[] {
  // One JSON text is quicker than many rows.
  return JSON.parse(carriers.get(db, { tag_rid, after, last })!.rids)
}
