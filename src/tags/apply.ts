import type { Actor } from '../audit/record.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import {
  addedTags,
  FROM_LIST,
  namedTags,
  reachedTags,
  removedTags,
  TO_EXISTING,
  TO_LIST,
} from './apply-queries.ts'
import { tagIdsByRid } from './queries.ts'

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

/** Returns named tags to put on files, and with them the tags that follow by active rules. */
export function withFollowing(db: Db, named: number[]): AddedTags {
  return { all: expandTags(db, named), named }
}

/** Adds tags to a file, and returns those that it did not have before. */
export function addTags(tx: Tx, file_rid: number, tags: AddedTags): number[] {
  const added = addedTags.all(tx, { file_rid, tags: withHands(tags) })
  if (added.length < tags.all.length) {
    namedTags.run(tx, { file_rid, tags: JSON.stringify(tags.named) })
  }
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

/**
 * Adds tags to files, with an audit entry for each file that lacked one; returns how many files did.
 */
export function addTagsToFiles(tx: Tx, actor: Actor, files: number[], tags: AddedTags): number {
  const byHand = new Set(tags.named)
  const rows = tagIdsByRid(tx, tags.all).map(([rid, id]) => [rid, id, byHand.has(rid) ? 1 : 0])
  const source = JSON.stringify(files)
  const changed = TO_LIST.recorded(tx, actor, { source, tags: JSON.stringify(rows) })
  TO_LIST.inserted.run(tx, { source, tags: withHands(tags) })
  return changed
}

/** Puts a tag that was made again back on those of the files that still exist. */
export function putBack(tx: Tx, tag: number, files: number[], by_hand: boolean): void {
  TO_EXISTING.run(tx, {
    source: JSON.stringify(files),
    tags: JSON.stringify([[tag, by_hand ? 1 : 0]]),
  })
}

/** Removes tags from files, with an audit entry for each file that had one. */
export function removeTagsFromFiles(tx: Tx, actor: Actor, files: number[], tags: number[]): void {
  const list = JSON.stringify(files)
  const named = JSON.stringify(tagIdsByRid(tx, tags))
  FROM_LIST.recorded(tx, actor, { files: list, tags: named })
  FROM_LIST.deleted.run(tx, { files: list, tags: JSON.stringify(tags) })
}

/** Returns a JSON list of [row number, whether by hand]. */
function withHands({ all, named }: AddedTags): string {
  const byHand = new Set(named)
  return JSON.stringify(all.map((rid) => [rid, byHand.has(rid) ? 1 : 0]))
}
