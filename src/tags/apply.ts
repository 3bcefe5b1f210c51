import type { AuditAction } from '../audit/record.ts'
import type { Db } from '../db/client.ts'
import type { Sql } from '../db/sql.ts'
import { tagIds } from './queries.ts'

/** Returns the tags and all tags that follow from them by active rules, each once. */
export function expandTags(db: Db, tags: number[]): number[] {
  return db
    .all<{ rid: number }>(
      `WITH RECURSIVE reached(rid) AS (
         SELECT value FROM json_each(?)
         UNION
         SELECT r.then_tag_rid FROM reached JOIN tag_rules r ON r.when_tag_rid = reached.rid
         WHERE r.is_active = 1
       ) SELECT rid FROM reached`,
      JSON.stringify(tags),
    )
    .map((row) => row.rid)
}

/**
 * Adds tags, and those that follow from them, to a file inside a write; returns those that it did
 * not have before.
 */
export function addTags(db: Db, file_rid: number, tags: number[]): number[] {
  return db
    .all<{ tag_rid: number }>(
      'INSERT INTO file_tags (file_rid, tag_rid) SELECT ?, value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING RETURNING tag_rid',
      file_rid,
      JSON.stringify(expandTags(db, tags)),
    )
    .map((row) => row.tag_rid)
}

/** Removes tags from a file inside a write, and returns those that it had. */
export function removeTags(db: Db, file_rid: number, tags: number[]): number[] {
  return db
    .all<{ tag_rid: number }>(
      'DELETE FROM file_tags WHERE file_rid = ? AND tag_rid IN (SELECT value FROM json_each(?)) RETURNING tag_rid',
      file_rid,
      JSON.stringify(tags),
    )
    .map((row) => row.tag_rid)
}

/** A change of tags on many files at once. */
export interface TagChange {
  /** Selects the row numbers of the files, as `rid`. */
  files: Sql
  /** Row numbers of the tags; when they are added, also of those that follow. */
  tags: number[]
  user: { id: number; name: string }
  now: number
}

/** Adds tags to files inside a write, with an audit entry for each file that lacked one. */
export function addTagsToFiles(db: Db, change: TagChange): number {
  const changed = recordTagChanges(db, change, 'file_tag_add')
  db.run(
    `INSERT INTO file_tags (file_rid, tag_rid)
     SELECT s.rid, t.value FROM (${change.files.sql}) s CROSS JOIN json_each(?) t
     WHERE true ON CONFLICT DO NOTHING`,
    ...change.files.params,
    JSON.stringify(change.tags),
  )
  return changed
}

/** Removes tags from files inside a write, with an audit entry for each file that had one. */
export function removeTagsFromFiles(db: Db, change: TagChange): number {
  const changed = recordTagChanges(db, change, 'file_tag_remove')
  db.run(
    `DELETE FROM file_tags WHERE file_rid IN (SELECT rid FROM (${change.files.sql}))
     AND +tag_rid IN (SELECT value FROM json_each(?))`,
    ...change.files.params,
    JSON.stringify(change.tags),
  )
  return changed
}

/** Writes the audit entries, before the change itself, while the tags are still as they were. */
function recordTagChanges(db: Db, change: TagChange, action: AuditAction): number {
  const { files, tags, user, now } = change
  const carried =
    'EXISTS (SELECT 1 FROM file_tags x WHERE x.file_rid = f.rid AND x.tag_rid = t.rid)'
  const ids = tagIds(db, tags)
  return db.run(
    `WITH t(rid, id) AS MATERIALIZED (SELECT value->>0, value->>1 FROM json_each(?)),
     m(id, tag_ids) AS MATERIALIZED (
       SELECT f.id, (
         SELECT json_group_array(t.id) FROM t
         WHERE ${action === 'file_tag_add' ? 'NOT ' : ''}${carried}
       ) FROM (${files.sql}) s CROSS JOIN files f ON f.rid = s.rid
     )
     INSERT INTO audit_log (user_id, user_name, action, object_type, object_id, details, performed_at)
     SELECT ?, ?, ?, 'file', id, '{"tag_ids":' || tag_ids || '}', ? FROM m WHERE tag_ids <> '[]'`,
    JSON.stringify(tags.map((rid, index) => [rid, ids[index]])),
    ...files.params,
    user.id,
    user.name,
    action,
    now,
  )
}
