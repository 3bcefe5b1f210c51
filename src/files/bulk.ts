import type { z } from 'zod'
import type { Right } from '../acl/access.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { invalid } from '../errors.ts'
import { addTagsToFiles, removeTagsFromFiles, withFollowing } from '../tags/apply.ts'
import { viewTags } from '../tags/cache.ts'
import { loadTagRids } from '../tags/queries.ts'
import type { User } from '../user.ts'
import { countTags, markFiles, trashFiles } from './bulk-queries.ts'
import { findFiles } from './queries.ts'
import type { BulkReview, BulkTags } from './schema.ts'

const PAIR_LIMIT = 200_000

/**
 * Adds tags to those of the files that the user may edit, or removes them. Returns the ids of the
 * named tags and, for `add`, of those that follow from them, as far as the user may view them.
 * Throws not_found or forbidden for a tag, and a validation error for more than 200,000 files ×
 * tags.
 */
export function bulkTags(tx: Tx, user: User, request: z.output<typeof BulkTags>): string[] {
  const named = loadTagRids(tx, user, request.tag_ids)
  const isAdd = request.action === 'add'
  const tags = isAdd ? withFollowing(tx, named) : { all: named, named }
  const files = reachableFiles(tx, user, 'edit', request.file_ids)
  if (files.length * tags.all.length > PAIR_LIMIT) {
    throw invalid('file_ids', `must be fewer: files times tags may be at most ${PAIR_LIMIT}`)
  }
  if (isAdd) addTagsToFiles(tx, user, files, tags)
  else removeTagsFromFiles(tx, user, files, named)
  const view = viewTags(tx, user)
  return tags.all.flatMap((rid) => view.byRid(rid)?.id ?? [])
}

/** Moves those of the files that the user may edit to the trash. */
export function bulkDelete(tx: Tx, user: User, file_ids: string[]): void {
  trashFiles(tx, user, reachableFiles(tx, user, 'edit', file_ids))
}

/** Marks those of the files that the user may edit as reviewed or needing review. */
export function bulkReview(tx: Tx, user: User, request: z.output<typeof BulkReview>): void {
  const files = reachableFiles(tx, user, 'edit', request.file_ids)
  markFiles(tx, user, files, request.needs_review)
}

/** Returns which tags are on all of the files that the user may view, and which on only some. */
export function commonTags(
  db: Db,
  user: User,
  file_ids: string[],
): { common_tag_ids: string[]; partial_tag_ids: string[] } {
  const files = reachableFiles(db, user, 'view', file_ids)
  const view = viewTags(db, user)
  const rows = countTags(db, files)
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
