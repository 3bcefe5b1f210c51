import { eq, sql } from 'drizzle-orm'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { fileTags } from '../db/schema/files.ts'

// Pairs of a file and a tag come as a JSON list of [file, tag, whether by hand], by row numbers.

/** Returns the pairs that exist, by their index. */
export const standingPairs = prepared({ pairs: 'text' }, (db, given) =>
  reading({ index: sql<number>`j.key`.as('index'), by_hand: fileTags.by_hand }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.pairs}) AS j`)
      .crossJoin(fileTags)
      .where(
        sql`${eq(fileTags.file_rid, sql`j.value ->> 0`)} AND ${eq(fileTags.tag_rid, sql`j.value ->> 1`)}`,
      ),
  ),
)

export const deletedPairs = prepared({ pairs: 'text' }, (db, given) =>
  db.delete(fileTags).where(
    sql`(${fileTags.file_rid}, ${fileTags.tag_rid}) IN (
        SELECT value ->> 0, value ->> 1 FROM json_each(${given.pairs}))`,
  ),
)

/** Adds the pairs, none of which may exist. */
export const insertedPairs = prepared({ pairs: 'text' }, (db, given) =>
  db.insert(fileTags).select(
    db
      .select({
        file_rid: sql`value ->> 0`.as('file_rid'),
        tag_rid: sql`value ->> 1`.as('tag_rid'),
        by_hand: sql`value ->> 2`.as('by_hand'),
      })
      .from(sql`json_each(${given.pairs})`),
  ),
)

/** Marks the pairs, all of which must exist, as by hand or not. */
export const handedPairs = prepared({ pairs: 'text' }, (db, given) =>
  db
    .update(fileTags)
    .set({ by_hand: sql`p.value ->> 2` })
    .from(sql`json_each(${given.pairs}) AS p`)
    .where(
      sql`${eq(fileTags.file_rid, sql`p.value ->> 0`)} AND ${eq(fileTags.tag_rid, sql`p.value ->> 1`)}`,
    ),
)
