import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { Right } from '../../acl/access.ts'
import { invalid } from '../../base/errors.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import type { Tx } from '../../db/write.ts'
import { withFollowing } from '../../tags/apply.ts'
import { type TagView, viewTags } from '../../tags/cache.ts'
import { loadTagRids } from '../../tags/queries.ts'
import { addToFiles, removeFromFiles } from '../../tags/sets.ts'
import { findFiles } from '../queries.ts'
import type { BulkReview, BulkTags } from '../schema.ts'
import {
  countTags,
  deleteFiles,
  findTrashed,
  markFiles,
  restoreFiles,
  trashFiles,
} from './bulk-queries.ts'
import { type BulkResult, SKIPPED_NAMED } from './schema.ts'

/** The most pairs of a file and an added or removed tag or user in one request. */
export const PAIR_LIMIT = 40_000

/**
 * Adds tags to those of the files that the user may edit, or removes them. Returns the ids of the named tags and, for
 * `add`, of those that follow from them, as far as the user may view them. Throws not_found or forbidden for a tag, a
 * validation error for more than 40,000 files × tags, and conflict when a file would exceed the limit of tags.
 */
export function bulkTags(tx: Tx, user: User, request: z.output<typeof BulkTags>): string[] {
  const named = loadTagRids(tx, user, request.tag_ids)
  const isAdd = request.action === 'add'
  const tags = isAdd ? withFollowing(tx, named) : { all: named, named }
  const files = reachableFiles(tx, user, 'edit', request.file_ids)
  if (files.length * tags.all.length > PAIR_LIMIT) {
    throw invalid('file_ids', `must be fewer: files times tags may be at most ${PAIR_LIMIT}`)
  }
  if (isAdd) addToFiles(tx, user, files, tags)
  else removeFromFiles(tx, user, files, named)
  const view = viewTags(tx, user)
  return tags.all.flatMap((rid) => view.byRid(rid)?.id ?? [])
}

/** Moves those of the files that the user may edit to the trash. */
export function bulkDelete(tx: Tx, user: User, file_ids: string[]): void {
  trashFiles(tx, user, reachableFiles(tx, user, 'edit', file_ids))
}

/** Takes those of the files that the user may edit out of the trash; the others are skipped. */
export function bulkRestore(tx: Tx, user: User, file_ids: string[]): BulkResult {
  const files = filesAllowed(tx, user, 'edit', file_ids)
  return resultOf(file_ids, files, restoreFiles(tx, user, ridsOf(files)))
}

/**
 * Deletes the rows of those of the files that are in the trash and that the user may edit; the others are skipped.
 * Returns the result, and the blobs to remove after the commit.
 */
export function bulkPurge(
  tx: Tx,
  user: User,
  file_ids: string[],
): { result: BulkResult; blobs: string[] } {
  const files = findTrashed(tx, reachableFiles(tx, user, 'edit', file_ids))
  deleteFiles(tx, user, ridsOf(files))
  return { result: resultOf(file_ids, files, files.length), blobs: files.map(({ blob }) => blob) }
}

/** Returns the result for files with different ids, of which all but `done` were skipped. */
export function resultOf(file_ids: string[], done: { id: string }[], changed: number): BulkResult {
  const known = new Set(done.map((file) => file.id))
  const skipped = file_ids.filter((id) => !known.has(id))
  return { changed, skipped: skipped.length, skipped_ids: skipped.slice(0, SKIPPED_NAMED) }
}

/** Marks those of the files that the user may edit as reviewed or needing review. */
export function bulkReview(tx: Tx, user: User, request: z.output<typeof BulkReview>): void {
  const files = reachableFiles(tx, user, 'edit', request.file_ids)
  markFiles(tx, user, files, request.needs_review)
}

// More would keep other requests waiting.
const COUNTED_AT_A_TIME = 1000
/** After this many tries in which rights change, all tags are counted at once. */
const TRIES = 3

/** Returns which tags are on all of the files that the user may view, and which on only some. */
export async function commonTags(
  db: Db,
  user: User,
  file_ids: string[],
): Promise<{ common_tag_ids: string[]; partial_tag_ids: string[] }> {
  for (let tried = 1; ; tried++) {
    const length = tried > TRIES ? file_ids.length : COUNTED_AT_A_TIME
    const { files, counts } = await countInTurns(db, user, file_ids, length)
    // Files may have been hidden, shown or deleted since they were counted.
    const isSettled = file_ids.length <= length || sameList(files, viewable(db, user, file_ids))
    if (isSettled) return presentCounts(viewTags(db, user), files.length, counts)
  }
}

async function countInTurns(db: Db, user: User, file_ids: string[], length: number) {
  const files: number[] = []
  const counts = new Map<number, number>()
  for (let start = 0; start < file_ids.length; start += length) {
    if (start > 0) await setImmediate()
    const slice = viewable(db, user, file_ids.slice(start, start + length))
    files.push(...slice)
    for (const row of countTags(db, slice)) {
      counts.set(row.tag_rid, (counts.get(row.tag_rid) ?? 0) + row.files)
    }
  }
  // The check of all files is a turn of its own.
  if (file_ids.length > length) await setImmediate()
  return { files, counts }
}

function viewable(db: Db, user: User, ids: string[]): number[] {
  return reachableFiles(db, user, 'view', ids)
}

function sameList(a: number[], b: number[]): boolean {
  return a.length === b.length && a.every((rid, index) => rid === b[index])
}

function presentCounts(view: TagView, files: number, counts: Map<number, number>) {
  const tags = [...counts]
    .flatMap(([rid, count]) => {
      const tag = view.byRid(rid)
      return tag ? [{ tag, isCommon: count === files }] : []
    })
    .sort((a, b) => a.tag.rank - b.tag.rank)
  const idsOf = (isCommon: boolean) =>
    tags.filter((one) => one.isCommon === isCommon).map((one) => one.tag.id)
  return { common_tag_ids: idsOf(true), partial_tag_ids: idsOf(false) }
}

function reachableFiles(db: Db, user: User, right: Right, ids: string[]): number[] {
  return ridsOf(filesAllowed(db, user, right, ids))
}

/** Returns those of the files that exist and that the user has the right to. */
export function filesAllowed(db: Db, user: User, right: Right, ids: string[]) {
  return findFiles(db, user, ids, right).filter((file) => file.allowed)
}

/** Returns the row numbers of files. */
export function ridsOf(files: { rid: number }[]): number[] {
  return files.map((file) => file.rid)
}
