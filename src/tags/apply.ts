import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { addedTags, addedToExisting, namedTags, reachedTags, removedTags } from './apply-queries.ts'
import { requireRoomOnFiles } from './limits.ts'
import { tagsToPut } from './merge/under-way.ts'

/** Tags to put on files, by their row numbers: all of them, and those that a request names. */
export interface AddedTags {
  all: number[]
  /** The others only follow by rules. */
  named: number[]
}

/** Returns the tags and all tags that follow from them by active rules, each once. */
export function expandTags(db: Db, tags: number[]): number[] {
  return reachedTags.all(db, { tags: JSON.stringify(tags) }).map((row) => row.rid)
}

/**
 * Returns named tags to put on files, and with them the tags that follow by active rules. The target of a merge stands
 * in for a tag that is being merged.
 */
export function withFollowing(db: Db, tags: number[]): AddedTags {
  const named = tagsToPut(db, tags)
  return { all: expandTags(db, named), named }
}

/**
 * Adds tags to a file, and returns those that it did not have before. Throws conflict when the file then exceeds the
 * limit of tags.
 */
export function addTags(tx: Tx, file_rid: number, tags: AddedTags): number[] {
  const added = addedTags.all(tx, { file_rid, tags: withHands(tags) })
  if (added.length < tags.all.length) {
    namedTags.run(tx, { file_rid, tags: JSON.stringify(tags.named) })
  }
  if (added.length > 0) requireRoomOnFiles(tx, [file_rid])
  return added.map((row) => row.tag_rid)
}

/** Removes tags from a file, and returns those that it had. */
export function removeTags(
  tx: Tx,
  file_rid: number,
  tags: number[],
): { tag_rid: number; by_hand: boolean }[] {
  return removedTags.all(tx, { file_rid, tags: JSON.stringify(tags) })
}

/** Puts a restored tag back on those of the files that exist and are below the limit of tags. */
export function putBack(tx: Tx, tag: number, files: number[], by_hand: boolean): void {
  addedToExisting.run(tx, { files: JSON.stringify(files), tag_rid: tag, by_hand })
}

function withHands({ all, named }: AddedTags): string {
  const byHand = new Set(named)
  return JSON.stringify(all.map((rid) => [rid, byHand.has(rid) ? 1 : 0]))
}
