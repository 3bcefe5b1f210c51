import { eq, sql } from 'drizzle-orm'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { files } from '../db/schema/files.ts'
import { tagRules } from '../db/schema/tags.ts'

/** The greatest number of tags on any of the files of a JSON list. */
export const mostTags = prepared({ files: 'text' }, (db, given) =>
  reading({ most: sql<number>`coalesce(max(${files.tag_count}), 0)`.as('most') }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.files}) AS j`)
      .crossJoin(files)
      .where(eq(files.rid, sql`j.value`)),
  ),
)

/** A tag and those from which it follows by active rules, nearest first. */
export const tagsLeadingTo = prepared({ tag: 'number' }, (db, given) => {
  const { when_tag_rid, then_tag_rid, is_active } = tagRules
  return reading({ rid: sql<number>`rid`.as('rid') }, (fields) =>
    db.select(fields).from(
      sql`(WITH RECURSIVE leading(rid) AS (
      SELECT ${given.tag}
      UNION
      SELECT ${when_tag_rid} FROM leading JOIN ${tagRules} ON ${then_tag_rid} = leading.rid
      WHERE ${is_active} = 1
    ) SELECT rid FROM leading)`,
    ),
  )
})

/** The active rules of the tags of a JSON list and of all tags that follow from them. */
export const rulesAround = prepared({ tags: 'text' }, (db, given) => {
  const { when_tag_rid, then_tag_rid, is_active } = tagRules
  return reading({ when_tag_rid, then_tag_rid }, (fields) =>
    db
      .select(fields)
      .from(tagRules)
      .where(
        sql`${is_active} = 1 AND ${when_tag_rid} IN (WITH RECURSIVE around(rid) AS (
        SELECT value FROM json_each(${given.tags})
        UNION
        SELECT r.then_tag_rid FROM around JOIN ${tagRules} r ON r.when_tag_rid = around.rid
        WHERE r.is_active = 1
      ) SELECT rid FROM around)`,
      ),
  )
})
