import type { z } from 'zod'
import type { Right } from '../acl/access.ts'
import type { AuditAction } from '../audit/record.ts'
import type { Db, SqlValue, WriteDeps } from '../db/client.ts'
import { invalid } from '../errors.ts'
import { addTagsToFiles, expandTags, removeTagsFromFiles } from '../tags/apply.ts'
import { viewTags } from '../tags/cache.ts'
import { loadTagRids } from '../tags/queries.ts'
import type { User } from '../user.ts'
import { findFiles } from './queries.ts'
import type { BulkReview, BulkTags } from './schema.ts'

const PAIR_LIMIT = 200_000

/**
 * Adds tags to those of the files that the user may edit, or removes them, inside a write. Returns
 * the ids of the named tags and, for `add`, of those that follow from them, as far as the user may
 * view them. Throws not_found or forbidden for a tag, and a validation error for more than 200,000
 * files × tags.
 */
export function bulkTags(
  deps: WriteDeps,
  user: User,
  request: z.output<typeof BulkTags>,
): string[] {
  const { db } = deps
  const named = loadTagRids(db, user, request.tag_ids)
  const tags = request.action === 'add' ? expandTags(db, named) : named
  const files = reachableFiles(db, user, 'edit', request.file_ids)
  if (files.length * tags.length > PAIR_LIMIT) {
    throw invalid('file_ids', `must be fewer: files times tags may be at most ${PAIR_LIMIT}`)
  }
  const change = { files: rowsOf(files), tags, user, now: deps.clock() }
  if (request.action === 'add') addTagsToFiles(db, change)
  else removeTagsFromFiles(db, change)
  const view = viewTags(db, user)
  return tags.flatMap((rid) => view.byRid(rid)?.id ?? [])
}

/** Moves those of the files that the user may edit to the trash, inside a write. */
export function bulkDelete(deps: WriteDeps, user: User, file_ids: string[]): void {
  changeFiles(deps, user, file_ids, {
    action: 'file_delete',
    differs: { sql: 'f.is_deleted = 0', params: [] },
    details: "json_object('original_name', f.original_name)",
    set: { sql: 'is_deleted = 1', params: [] },
  })
}

/**
 * Marks those of the files that the user may edit as reviewed or needing review, inside a write.
 */
export function bulkReview(
  deps: WriteDeps,
  user: User,
  request: z.output<typeof BulkReview>,
): void {
  const needed = Number(request.needs_review)
  const { from, to } = { from: !request.needs_review, to: request.needs_review }
  changeFiles(deps, user, request.file_ids, {
    action: 'file_review',
    differs: { sql: 'f.needs_review <> ?', params: [needed] },
    details: `'{"needs_review":{"from":${from},"to":${to}}}'`,
    set: { sql: 'needs_review = ?', params: [needed] },
  })
}

/** Returns which tags are on all of the files that the user may view, and which on only some. */
export function commonTags(
  db: Db,
  user: User,
  file_ids: string[],
): { common_tag_ids: string[]; partial_tag_ids: string[] } {
  const files = reachableFiles(db, user, 'view', file_ids)
  const view = viewTags(db, user)
  const rows = db
    .all<{ tag_rid: number; files: number }>(
      `SELECT ft.tag_rid, count(*) AS files FROM json_each(?) j
       CROSS JOIN file_tags ft ON ft.file_rid = j.value GROUP BY ft.tag_rid`,
      JSON.stringify(files),
    )
    .flatMap((row) => {
      const tag = view.byRid(row.tag_rid)
      return tag ? [{ tag, isCommon: row.files === files.length }] : []
    })
    .sort((a, b) => a.tag.rank - b.tag.rank)
  return {
    common_tag_ids: rows.filter((row) => row.isCommon).map((row) => row.tag.id),
    partial_tag_ids: rows.filter((row) => !row.isCommon).map((row) => row.tag.id),
  }
}

/** Returns the row numbers of those of the files that exist and that the user has the right to. */
function reachableFiles(db: Db, user: User, right: Right, ids: string[]): number[] {
  return findFiles(db, user, ids, right)
    .filter((file) => file.allowed)
    .map((file) => file.rid)
}

function rowsOf(files: number[]) {
  return { sql: 'SELECT value AS rid FROM json_each(?)', params: [JSON.stringify(files)] }
}

/** Changes a column of many files, with an audit entry for each file that it changes. */
function changeFiles(
  deps: WriteDeps,
  user: User,
  file_ids: string[],
  change: {
    action: AuditAction
    /** The condition that the change makes a difference to the file in the row `f`. */
    differs: { sql: string; params: SqlValue[] }
    /** SQL for the entry's details. */
    details: string
    set: { sql: string; params: SqlValue[] }
  },
): void {
  const { differs, set } = change
  const files = JSON.stringify(reachableFiles(deps.db, user, 'edit', file_ids))
  deps.db.run(
    `INSERT INTO audit_log (user_id, user_name, action, object_type, object_id, details, performed_at)
     SELECT ?, ?, ?, 'file', f.id, ${change.details}, ?
     FROM json_each(?) j CROSS JOIN files f ON f.rid = j.value WHERE ${differs.sql}`,
    user.id,
    user.name,
    change.action,
    deps.clock(),
    files,
    ...differs.params,
  )
  deps.db.run(
    `UPDATE files AS f SET ${set.sql} WHERE rid IN (SELECT value FROM json_each(?)) AND ${differs.sql}`,
    ...set.params,
    files,
    ...differs.params,
  )
}
