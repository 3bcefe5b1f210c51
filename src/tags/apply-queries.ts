import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { Details } from '../audit/details.ts'
import { auditEach } from '../audit/record.ts'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { files, fileTags } from '../db/schema/files.ts'
import { tagRules } from '../db/schema/tags.ts'

/** The tags of a JSON list and all tags that follow from them by active rules, each once. */
export const reachedTags = prepared({ tags: 'text' }, (db, given) => {
  const { when_tag_rid, then_tag_rid, is_active } = tagRules
  return db.select({ rid: sql<number>`rid`.as('rid') }).from(
    sql`(WITH RECURSIVE reached(rid) AS (
      SELECT value FROM json_each(${given.tags})
      UNION
      SELECT ${then_tag_rid} FROM reached JOIN ${tagRules} ON ${when_tag_rid} = reached.rid
      WHERE ${is_active} = 1
    ) SELECT rid FROM reached)`,
  )
})

/**
 * Adds tags to a file, a JSON list of [row number, whether by hand]; it returns those that the file
 * did not have before.
 */
export const addedTags = prepared({ file_rid: fileTags.file_rid, tags: 'text' }, (db, given) =>
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
        // Without a condition, ON CONFLICT would be read as that of a join.
        .where(sql`true`),
    )
    .onConflictDoNothing()
    .returning({ tag_rid: fileTags.tag_rid }),
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

/** Removes the tags of a JSON list from a file; it returns those that the file had. */
export const removedTags = prepared({ file_rid: fileTags.file_rid, tags: 'text' }, (db, given) =>
  db
    .delete(fileTags)
    .where(
      and(eq(fileTags.file_rid, given.file_rid), inArray(fileTags.tag_rid, listed(given.tags))),
    )
    .returning({ tag_rid: fileTags.tag_rid, by_hand: fileTags.by_hand }),
)

/** The statements that add tags; `rids` selects the files of a JSON list as `rid`. */
function additionsTo(rids: (source: SQL) => SQL) {
  const parameters = { source: 'text', tags: 'text' } as const
  return {
    /** Writes the entries of what is about to be added: a list of [row number, id, whether by hand]. */
    recorded: auditEach('file_tag_add', 'file', parameters, (given) =>
      selectEntries(
        rids(given.source),
        given.tags,
        sql`SELECT json_object(
            'tag_ids', json_group_array(t.id),
            'by_rule', json_group_array(t.id) FILTER (WHERE NOT t.by_hand)
          )
          FROM t WHERE NOT EXISTS (
            SELECT 1 FROM ${fileTags} WHERE ${fileTags.file_rid} = ${files.rid} AND ${fileTags.tag_rid} = t.rid
          )`,
      ),
    ),
    /** Adds tags: a list of [row number, whether by hand]. */
    inserted: prepared(parameters, (db, given) => {
      const pairs = db
        .select({
          file_rid: sql`s.rid`.as('file_rid'),
          tag_rid: sql`t.value ->> 0`.as('tag_rid'),
          by_hand: sql`t.value ->> 1`.as('by_hand'),
        })
        .from(sql`(${rids(given.source)}) s CROSS JOIN json_each(${given.tags}) t`)
        .where(sql`true`)
      return db
        .insert(fileTags)
        .select(pairs)
        .onConflictDoUpdate({
          target: [fileTags.file_rid, fileTags.tag_rid],
          set: { by_hand: true },
          setWhere: sql`excluded.by_hand > ${fileTags.by_hand}`,
        })
    }),
  }
}

function selectListed(list: SQL): SQL {
  return sql`SELECT value AS rid FROM json_each(${list})`
}

/** Adding tags to the files of a JSON list. */
export const TO_LIST = additionsTo(selectListed)
/** Adding tags to those of the files of a JSON list that exist. */
export const TO_EXISTING = additionsTo(
  (list) =>
    sql`SELECT ${files.rid} AS rid FROM json_each(${list}) AS j CROSS JOIN ${files} ON ${files.rid} = j.value`,
).inserted

/** Removing tags from the files of a JSON list. */
export const FROM_LIST = {
  /** Writes the entries of what is about to be removed; the tags are a list of [row number, id]. */
  recorded: auditEach('file_tag_remove', 'file', { files: 'text', tags: 'text' }, (given) =>
    selectEntries(
      selectListed(given.files),
      given.tags,
      sql`SELECT json_object(
          'tag_ids', json_group_array(t.id),
          'by_rule', json_group_array(t.id) FILTER (WHERE NOT ${fileTags.by_hand})
        )
        FROM t CROSS JOIN ${fileTags} ON ${fileTags.file_rid} = ${files.rid} AND ${fileTags.tag_rid} = t.rid`,
    ),
  ),
  /** Removes tags: a list of row numbers. */
  deleted: prepared({ files: 'text', tags: 'text' }, (db, given) => {
    const ofFiles = inArray(fileTags.file_rid, listed(given.files))
    // The plus: a file's tags are read through once, rather than looked up one by one.
    const ofTags = sql`+${fileTags.tag_rid} IN ${listed(given.tags)}`
    return db.delete(fileTags).where(and(ofFiles, ofTags))
  }),
}

function listed(list: SQL): SQL {
  return sql`(SELECT value FROM json_each(${list}))`
}

/** The details of a file whose tags don't change. */
const NOTHING = JSON.stringify({ tag_ids: [], by_rule: [] } satisfies Details['file_tag_add'])

/** Selects the files whose details, which may look at the tags `t`, tell of a change. */
function selectEntries(rids: SQL, tags: SQL, details: SQL): SQL {
  return sql`
    WITH t(rid, id, by_hand) AS MATERIALIZED (
      SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${tags})
    ),
    m(id, details) AS MATERIALIZED (
      SELECT ${files.id}, (${details}) FROM (${rids}) s CROSS JOIN ${files} ON ${files.rid} = s.rid
    )
    SELECT id, details FROM m WHERE details <> ${NOTHING}`
}

const filesPast = prepared(
  { tag_rid: fileTags.tag_rid, after: fileTags.file_rid, limit: 'number' },
  (db, given) => {
    const { file_rid, tag_rid } = fileTags
    return db
      .select({ file_rid })
      .from(fileTags)
      .where(and(eq(tag_rid, given.tag_rid), gt(file_rid, given.after)))
      .orderBy(file_rid)
      .limit(given.limit as unknown as number)
  },
)

/** Returns the files that have a tag and come after one, by their row numbers, in order. */
export function filesAfter(
  db: Db,
  tag_rid: number,
  { after, limit }: { after: number; limit: number },
): number[] {
  return filesPast.all(db, { tag_rid, after, limit }).map((row) => row.file_rid)
}

/** How many tags a file may carry. */
const MOST_TAGS = 1000

const crowded = prepared({ files: 'text', tags: 'text', count: 'number' }, (db, given) => {
  const lacked = sql`(${given.count} - (SELECT count(*) FROM ${fileTags} WHERE ${fileTags.file_rid} = ${files.rid} AND ${fileTags.tag_rid} IN ${listed(given.tags)}))`
  return db
    .select({ rid: files.rid })
    .from(files)
    .where(
      and(
        inArray(files.rid, listed(given.files)),
        gt(sql`${files.tag_count} + ${given.count}`, MOST_TAGS),
        gt(lacked, 0),
        gt(sql`${files.tag_count} + ${lacked}`, MOST_TAGS),
      ),
    )
})

/** Returns those of the files that would carry more tags than a file may. */
export function crowdedFiles(db: Db, files: number[], tags: number[]): number[] {
  const list = { files: JSON.stringify(files), tags: JSON.stringify(tags) }
  return crowded.all(db, { ...list, count: tags.length }).map((row) => row.rid)
}
