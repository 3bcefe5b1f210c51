import { and, count, eq, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { files } from '../db/schema/files.ts'
import { tagRules, tags } from '../db/schema/tags.ts'
import { users } from '../db/schema/users.ts'

/** The greatest number of tags that one of the files of a JSON list has. */
export const mostTags = prepared({ files: 'text' }, (db, given) =>
  db
    .select({ most: sql<number>`coalesce(max(${files.tag_count}), 0)`.as('most') })
    .from(sql`json_each(${given.files}) AS j`)
    .crossJoin(files)
    .where(eq(files.rid, sql`j.value`)),
)

/** Returns how many tags a user has made, or null for an admin. */
export function countTagsOf(db: Db, creator_id: number): number | null {
  const { is_admin } = db
    .select({ is_admin: users.is_admin })
    .from(users)
    .where(eq(users.id, creator_id))
    .get()!
  if (is_admin) return null
  const theirs = and(eq(tags.creator_id, creator_id), eq(tags.is_deleted, false))
  const counted = db.select({ tags: count() }).from(tags).where(theirs)
  return counted.get()!.tags
}

/** A tag and those from which it follows by active rules, nearest first. */
export const tagsLeadingTo = prepared({ tag: 'number' }, (db, given) => {
  const { when_tag_rid, then_tag_rid, is_active } = tagRules
  return db.select({ rid: sql<number>`rid`.as('rid') }).from(
    sql`(WITH RECURSIVE leading(rid) AS (
      SELECT ${given.tag}
      UNION
      SELECT ${when_tag_rid} FROM leading JOIN ${tagRules} ON ${then_tag_rid} = leading.rid
      WHERE ${is_active} = 1
    ) SELECT rid FROM leading)`,
  )
})

/** The active rules of the tags of a JSON list and of all tags that follow from them. */
export const rulesAround = prepared({ tags: 'text' }, (db, given) => {
  const { when_tag_rid, then_tag_rid, is_active } = tagRules
  return db
    .select({ when_tag_rid, then_tag_rid })
    .from(tagRules)
    .where(
      sql`${is_active} = 1 AND ${when_tag_rid} IN (WITH RECURSIVE around(rid) AS (
        SELECT value FROM json_each(${given.tags})
        UNION
        SELECT r.then_tag_rid FROM around JOIN ${tagRules} r ON r.when_tag_rid = around.rid
        WHERE r.is_active = 1
      ) SELECT rid FROM around)`,
    )
})
