import { eq, inArray, sql } from 'drizzle-orm'
import type { TagAction } from '../audit/details.ts'
import { auditEach } from '../audit/record.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { setCounting } from '../db/schema/caches.ts'
import { files, fileTags } from '../db/schema/files.ts'
import { tags } from '../db/schema/tags.ts'

// Files come as a JSON list of row numbers, or of [file, index of its set]; the sets come as a JSON list of their own.
// So many files with the same change need little text and little parsing.

/**
 * Returns for each file, in the order of the list, which of the tags it has: twice their row numbers, plus one for a
 * tag by hand, separated by commas; null for none.
 */
export const tagsAmong = prepared({ files: 'text', tags: 'text' }, (db, given) =>
  reading(
    {
      among: sql<string | null>`(
        SELECT group_concat(2 * ${fileTags.tag_rid} + ${fileTags.by_hand}) FROM ${fileTags}
        WHERE ${fileTags.file_rid} = j.value
          AND +${fileTags.tag_rid} IN (SELECT value FROM json_each(${given.tags}))
      )`.as('among'),
    },
    (fields) => db.select(fields).from(sql`json_each(${given.files}) AS j`).orderBy(sql`j.key`),
  ),
)

const recorded = (action: TagAction | 'file_tag_replace') =>
  auditEach(
    action,
    'file',
    { files: 'text', sets: 'text' },
    (given) => sql`
      WITH s(at, details) AS MATERIALIZED (SELECT key, value FROM json_each(${given.sets}))
      SELECT ${files.id} AS id, s.details FROM json_each(${given.files}) AS j
        CROSS JOIN ${files} ON ${files.rid} = j.value ->> 0 CROSS JOIN s ON s.at = j.value ->> 1`,
  )

/** Statements that write an entry for each file; a set is the text of its details. */
export const recordedSets = {
  file_tag_add: recorded('file_tag_add'),
  file_tag_remove: recorded('file_tag_remove'),
  file_tag_replace: recorded('file_tag_replace'),
}

/** Puts tags on files that lack them; a set is a list of [tag, whether by hand]. */
export const insertedSets = prepared({ files: 'text', sets: 'text' }, (db, given) =>
  db.insert(fileTags).select(
    db
      .select({
        file_rid: sql`p.file`.as('file_rid'),
        tag_rid: sql`p.tag`.as('tag_rid'),
        by_hand: sql`p.by_hand`.as('by_hand'),
      })
      // Materialized, since there are as many rows as pairs, and each would parse its piece of JSON again.
      .from(
        sql`(
          WITH f(file, at) AS MATERIALIZED (
            SELECT value ->> 0, value ->> 1 FROM json_each(${given.files})
          ),
          s(at, tag, by_hand) AS MATERIALIZED (
            SELECT o.key, i.value ->> 0, i.value ->> 1
            FROM json_each(${given.sets}) AS o CROSS JOIN json_each(o.value) AS i
          )
          SELECT f.file, s.tag, s.by_hand FROM f CROSS JOIN s ON s.at = f.at
        ) AS p`,
      ),
  ),
)

/** Marks tags of files as put on by hand. */
export const namedOnFiles = prepared({ files: 'text', tags: 'text' }, (db, given) =>
  db
    .update(fileTags)
    .set({ by_hand: true })
    .where(
      sql`${inArray(fileTags.file_rid, sql`(SELECT value FROM json_each(${given.files}))`)}
        AND +${fileTags.tag_rid} IN (SELECT value FROM json_each(${given.tags}))
        AND ${eq(fileTags.by_hand, false)}`,
    ),
)

/** Takes tags off files. */
export const deletedFromFiles = prepared({ files: 'text', tags: 'text' }, (db, given) =>
  db.delete(fileTags).where(
    // The plus sign: SQLite reads a file's tags through once, rather than looking them up one by one.
    sql`${inArray(fileTags.file_rid, sql`(SELECT value FROM json_each(${given.files}))`)}
      AND +${fileTags.tag_rid} IN (SELECT value FROM json_each(${given.tags}))`,
  ),
)

/** Stops the triggers that count the tags of files. */
export const triggersStopped = prepared({}, (db) =>
  db.insert(setCounting).select(db.select({ no_user: sql`0`.as('no_user') }).from(sql`(SELECT 1)`)),
)

/** Restarts the triggers that count the tags of files. */
export const triggersStarted = prepared({}, (db) => db.delete(setCounting))

/** Adds to the number of tags of each file; a set is the number to add, negative when tags are removed. */
export const countedOnFiles = prepared({ files: 'text', sets: 'text' }, (db, given) =>
  db
    .update(files)
    .set({ tag_count: sql`${files.tag_count} + c.change` })
    .from(
      sql`(
        WITH s(at, change) AS MATERIALIZED (SELECT key, value FROM json_each(${given.sets}))
        SELECT j.value ->> 0 AS rid, s.change
        FROM json_each(${given.files}) AS j CROSS JOIN s ON s.at = j.value ->> 1
      ) AS c`,
    )
    .where(sql`${files.rid} = c.rid`),
)

/** Adds to the number of files of each tag; takes a list of [tag, number]. */
export const countedOnTags = prepared({ changes: 'text' }, (db, given) =>
  db
    .update(tags)
    .set({ file_count: sql`${tags.file_count} + c.change` })
    .from(
      sql`(SELECT value ->> 0 AS rid, value ->> 1 AS change FROM json_each(${given.changes})) AS c`,
    )
    .where(sql`${tags.rid} = c.rid`),
)
