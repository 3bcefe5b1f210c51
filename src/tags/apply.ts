import type { Db } from '../db/client.ts'
import {
  addedTags,
  deleteFileTags,
  insertFileTags,
  reachedTags,
  recordTagChanges,
  removedTags,
  type TagChange,
} from './apply-queries.ts'

/** Returns the tags and all tags that follow from them by active rules, each once. */
export function expandTags(db: Db, tags: number[]): number[] {
  return reachedTags.all(db, { tags: JSON.stringify(tags) }).map((row) => row.rid)
}

/**
 * Adds tags, and those that follow from them, to a file inside a write; returns those that it did
 * not have before.
 */
export function addTags(db: Db, file_rid: number, tags: number[]): number[] {
  const all = JSON.stringify(expandTags(db, tags))
  return addedTags.all(db, { file_rid, tags: all }).map((row) => row.tag_rid)
}

/** Removes tags from a file inside a write, and returns those that it had. */
export function removeTags(db: Db, file_rid: number, tags: number[]): number[] {
  return removedTags.all(db, { file_rid, tags: JSON.stringify(tags) }).map((row) => row.tag_rid)
}

/** Adds tags to files inside a write, with an audit entry for each file that lacked one. */
export function addTagsToFiles(db: Db, change: TagChange): number {
  const changed = recordTagChanges(db, change, 'file_tag_add')
  insertFileTags(db, change)
  return changed
}

/** Removes tags from files inside a write, with an audit entry for each file that had one. */
export function removeTagsFromFiles(db: Db, change: TagChange): number {
  const changed = recordTagChanges(db, change, 'file_tag_remove')
  deleteFileTags(db, change)
  return changed
}
