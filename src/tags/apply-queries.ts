import { and, count, eq, gt, gte, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { asLimit, prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { files, fileTags } from '../db/schema/files.ts'
import { tagRules } from '../db/schema/tags.ts'
import { listed } from '../db/sql.ts'
import { TAGS_OF_FILE } from './limits.ts'

/** The tags of a JSON list and all tags that follow from them by active rules, each once. */
export const reachedTags = prepared({ tags: 'text' }, (db, given) => {
  const { when_tag_rid, then_tag_rid, is_active } = tagRules
  return reading({ rid: sql<number>`rid`.as('rid') }, (fields) =>
    db.select(fields).from(
      sql`(WITH RECURSIVE reached(rid) AS (
      SELECT value FROM json_each(${given.tags})
      UNION
      SELECT ${then_tag_rid} FROM reached JOIN ${tagRules} ON ${when_tag_rid} = reached.rid
      WHERE ${is_active} = 1
    ) SELECT rid FROM reached)`,
    ),
  )
})

/**
 * Adds tags to a file, a JSON list of [row number, whether by hand]; returns those that the file did not have before.
 */
export const addedTags = prepared({ file_rid: fileTags.file_rid, tags: 'text' }, (db, given) =>
  reading({ tag_rid: fileTags.tag_rid }, (fields) =>
    db
      .insert(fileTags)
      .select(
        db
          .select({
            file_rid: sql`${given.file_rid}`.as('file_rid'),
            tag_rid: sql`value ->> 0`.as('tag_rid'),
            by_hand: sql`value ->> 1`.as('by_hand'),
          })
          .from(sql`json_each(${given.tags})`)
          // Without a condition, SQLite would read ON CONFLICT as the ON of a join.
          .where(sql`true`),
      )
      .onConflictDoNothing()
      .returning(fields),
  ),
)

/** Marks those of the tags of a JSON list that only followed from a rule as put on by hand. */
export const namedTags = prepared({ file_rid: fileTags.file_rid, tags: 'text' }, (db, given) =>
  db
    .update(fileTags)
    .set({ by_hand: true })
    .where(
      and(
        eq(fileTags.file_rid, given.file_rid),
        inArray(fileTags.tag_rid, listed(given.tags)),
        eq(fileTags.by_hand, false),
      ),
    ),
)

/** Removes the tags of a JSON list from a file; returns those that the file had. */
export const removedTags = prepared({ file_rid: fileTags.file_rid, tags: 'text' }, (db, given) =>
  reading({ tag_rid: fileTags.tag_rid, by_hand: fileTags.by_hand }, (fields) =>
    db
      .delete(fileTags)
      .where(
        and(eq(fileTags.file_rid, given.file_rid), inArray(fileTags.tag_rid, listed(given.tags))),
      )
      .returning(fields),
  ),
)

/**
 * Adds a tag to those of the files of a JSON list that exist and are below the limit of tags. A file that has the tag
 * by a rule then has it by hand, if the tag is added by hand.
 */
export const addedToExisting = prepared(
  { files: 'text', tag_rid: fileTags.tag_rid, by_hand: fileTags.by_hand },
  (db, given) =>
    db
      .insert(fileTags)
      .select(
        db
          .select({
            file_rid: sql`${files.rid}`.as('file_rid'),
            tag_rid: sql`${given.tag_rid}`.as('tag_rid'),
            by_hand: sql`${given.by_hand}`.as('by_hand'),
          })
          .from(sql`json_each(${given.files}) AS j`)
          .crossJoin(files)
          .where(and(eq(files.rid, sql`j.value`), lt(files.tag_count, TAGS_OF_FILE))),
      )
      .onConflictDoUpdate({
        target: [fileTags.file_rid, fileTags.tag_rid],
        set: { by_hand: true },
        setWhere: sql`excluded.by_hand > ${fileTags.by_hand}`,
      }),
)

/** Returns how many of the files exist, and how many of these have reached the limit of tags. */
export function roomOnFiles(db: Db, rids: number[]): { existing: number; full: number } {
  const entries = sql`json_each(${JSON.stringify(rids)}) AS j`
  const isFull = gte(files.tag_count, TAGS_OF_FILE)
  return db.first(
    reading({ existing: count(), full: sql<number>`count(*) FILTER (WHERE ${isFull})` }, (fields) =>
      db.select(fields).from(entries).crossJoin(files).where(eq(files.rid, sql`j.value`)),
    ),
  )!
}

const filesPast = prepared(
  { tag_rid: fileTags.tag_rid, after: fileTags.file_rid, limit: 'number' },
  (db, given) => {
    const { file_rid, tag_rid } = fileTags
    return reading({ file_rid }, (fields) =>
      db
        .select(fields)
        .from(fileTags)
        .where(and(eq(tag_rid, given.tag_rid), gt(file_rid, given.after)))
        .orderBy(file_rid)
        .limit(asLimit(given.limit)),
    )
  },
)

/** Returns the next files that have a tag, after a row number, in order. */
export function filesAfter(
  db: Db,
  tag_rid: number,
  { after, limit }: { after: number; limit: number },
): number[] {
  return filesPast.all(db, { tag_rid, after, limit }).map((row) => row.file_rid)
}

const crowded = prepared(
  { files: 'text', tags: 'text', count: 'number', losing: 'number' },
  (db, given) => {
    const lacked = sql`(${given.count} - (SELECT count(*) FROM ${fileTags}
      WHERE ${fileTags.file_rid} = ${files.rid} AND ${fileTags.tag_rid} IN ${listed(given.tags)}))`
    return reading({ rid: files.rid }, (fields) =>
      db
        .select(fields)
        .from(files)
        .where(
          and(
            inArray(files.rid, listed(given.files)),
            gt(sql`${files.tag_count} + ${given.count} - ${given.losing}`, TAGS_OF_FILE),
            gt(lacked, 0),
            gt(sql`${files.tag_count} + ${lacked} - ${given.losing}`, TAGS_OF_FILE),
          ),
        ),
    )
  },
)

/**
 * Returns those of the files that would exceed the limit of tags if they got those of the tags that they lack and lost
 * `losing` others.
 */
export function crowdedFiles(
  db: Db,
  files: number[],
  tags: number[],
  { losing = 0 } = {},
): number[] {
  const list = { files: JSON.stringify(files), tags: JSON.stringify(tags) }
  return crowded.all(db, { ...list, count: tags.length, losing }).map((row) => row.rid)
}
