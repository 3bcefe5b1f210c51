import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { auditLog } from '../db/schema/audit.ts'
import { files, fileTags } from '../db/schema/files.ts'
import { tagRules } from '../db/schema/tags.ts'
import { tagIds } from './queries.ts'

/** The files of a change: those of a list, or all that have a tag, by their row numbers. */
type FilesOfChange = { list: number[] } | { tag: number }

/** A change of tags on many files at once. */
export interface TagChange {
  files: FilesOfChange
  /** Row numbers of the tags; when they are added, also of those that follow. */
  tags: number[]
  user: { id: number; name: string }
  now: number
}

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

/** Adds the tags of a JSON list to a file; it returns those that the file did not have before. */
export const addedTags = prepared({ file_rid: fileTags.file_rid, tags: 'text' }, (db, given) =>
  db
    .insert(fileTags)
    .select(
      db
        .select({
          file_rid: sql`${given.file_rid}`.as('file_rid'),
          tag_rid: sql`value`.as('tag_rid'),
        })
        .from(sql`json_each(${given.tags})`)
        // Without a condition, ON CONFLICT would be read as that of a join.
        .where(sql`true`),
    )
    .onConflictDoNothing()
    .returning({ tag_rid: fileTags.tag_rid }),
)

/** Removes the tags of a JSON list from a file; it returns those that the file had. */
export const removedTags = prepared({ file_rid: fileTags.file_rid, tags: 'text' }, (db, given) =>
  db
    .delete(fileTags)
    .where(
      and(eq(fileTags.file_rid, given.file_rid), inArray(fileTags.tag_rid, listed(given.tags))),
    )
    .returning({ tag_rid: fileTags.tag_rid }),
)

/** The statements of a change, for one way to name its files; `rids` selects them as `rid`. */
function changesOf<Type extends 'text' | typeof fileTags.tag_rid>(
  source: Type,
  rids: (source: SQL) => SQL,
) {
  const parameters = { source, tags: 'text' } as const
  const recorded = (action: 'file_tag_add' | 'file_tag_remove') =>
    prepared(
      { ...parameters, user_id: auditLog.user_id, user_name: auditLog.user_name, now: 'number' },
      (db, given) => {
        const files = rids(given.source)
        return db.insert(auditLog).select(selectEntries(db, { ...given, files, action }))
      },
    )
  return {
    recorded: {
      file_tag_add: recorded('file_tag_add'),
      file_tag_remove: recorded('file_tag_remove'),
    },
    inserted: prepared(parameters, (db, given) => {
      const pairs = db
        .select({ file_rid: sql`s.rid`.as('file_rid'), tag_rid: sql`t.value`.as('tag_rid') })
        .from(sql`(${rids(given.source)}) s CROSS JOIN json_each(${given.tags}) t`)
        .where(sql`true`)
      return db.insert(fileTags).select(pairs).onConflictDoNothing()
    }),
    deleted: prepared(parameters, (db, given) => {
      const ofFiles = inArray(fileTags.file_rid, sql`(SELECT rid FROM (${rids(given.source)}))`)
      // The plus: a file's tags are read through once, rather than looked up one by one.
      const ofTags = sql`+${fileTags.tag_rid} IN ${listed(given.tags)}`
      return db.delete(fileTags).where(and(ofFiles, ofTags))
    }),
  }
}

const OF_LIST = changesOf('text', (list) => sql`SELECT value AS rid FROM json_each(${list})`)
const OF_TAG = changesOf(
  fileTags.tag_rid,
  (tag) =>
    sql`SELECT ${fileTags.file_rid} AS rid FROM ${fileTags} WHERE ${fileTags.tag_rid} = ${tag}`,
)

function listed(list: SQL): SQL {
  return sql`(SELECT value FROM json_each(${list}))`
}

/** The entries of a change: of each file that lacks one of the tags, or has one. */
function selectEntries(
  db: Db,
  given: {
    files: SQL
    tags: SQL
    user_id: SQL
    user_name: SQL
    now: SQL
    action: 'file_tag_add' | 'file_tag_remove'
  },
) {
  const carried = sql`EXISTS (
    SELECT 1 FROM ${fileTags} WHERE ${fileTags.file_rid} = ${files.rid} AND ${fileTags.tag_rid} = t.rid
  )`
  const changes = given.action === 'file_tag_add' ? sql`NOT ${carried}` : carried
  const changed = sql`(
    WITH t(rid, id) AS MATERIALIZED (SELECT value->>0, value->>1 FROM json_each(${given.tags})),
    m(id, tag_ids) AS MATERIALIZED (
      SELECT ${files.id}, (SELECT json_group_array(t.id) FROM t WHERE ${changes})
      FROM (${given.files}) s CROSS JOIN ${files} ON ${files.rid} = s.rid
    )
    SELECT id, tag_ids FROM m WHERE tag_ids <> '[]'
  ) AS changed`
  return db
    .select({
      id: sql`NULL`.as('id'),
      user_id: sql`${given.user_id}`.as('user_id'),
      user_name: sql`${given.user_name}`.as('user_name'),
      action: sql`${given.action}`.as('action'),
      object_type: sql`'file'`.as('object_type'),
      object_id: sql`changed.id`.as('object_id'),
      details: sql`'{"tag_ids":' || tag_ids || '}'`.as('details'),
      performed_at: sql`${given.now}`.as('performed_at'),
    })
    .from(changed)
}

/** Writes the rows of the tags that the files lack. */
export function insertFileTags(db: Db, { files, tags }: TagChange): void {
  const list = JSON.stringify(tags)
  if ('tag' in files) OF_TAG.inserted.run(db, { source: files.tag, tags: list })
  else OF_LIST.inserted.run(db, { source: JSON.stringify(files.list), tags: list })
}

/** Deletes the rows of the tags that the files have. */
export function deleteFileTags(db: Db, { files, tags }: TagChange): void {
  const list = JSON.stringify(tags)
  if ('tag' in files) OF_TAG.deleted.run(db, { source: files.tag, tags: list })
  else OF_LIST.deleted.run(db, { source: JSON.stringify(files.list), tags: list })
}

/**
 * Writes the audit entries of a change, before the change itself, while the tags are still as they
 * were. Returns how many files will change.
 */
export function recordTagChanges(
  db: Db,
  { files, tags, user, now }: TagChange,
  action: 'file_tag_add' | 'file_tag_remove',
): number {
  const ids = tagIds(db, tags)
  const named = JSON.stringify(tags.map((rid, index) => [rid, ids[index]]))
  const values = { tags: named, user_id: user.id, user_name: user.name, now }
  if ('tag' in files) return OF_TAG.recorded[action].run(db, { ...values, source: files.tag })
  const source = JSON.stringify(files.list)
  return OF_LIST.recorded[action].run(db, { ...values, source })
}
