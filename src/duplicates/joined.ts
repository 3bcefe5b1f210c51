import type { Details } from '../audit/details.ts'
import type { Tx } from '../db/write.ts'
import { type FileRecord, listFileTags } from '../files/queries.ts'
import { type AddedTags, addTags, withFollowing } from '../tags/apply.ts'
import { tagsToPut } from '../tags/merge/under-way.ts'
import { standingTags, tagIds } from '../tags/queries.ts'

/** Returns the tags of a file, and their implied tags; which ones were added by hand is preserved. */
export function tagsOf(tx: Tx, file: Pick<FileRecord, 'rid'>): AddedTags {
  const listed = listFileTags(tx, file.rid)
  const rids = listed.map((row) => row.tag_rid)
  const standing = new Set(standingTags(tx, rids))
  const rows = listed.filter((row) => standing.has(row.tag_rid))
  const ridsOf = (some: typeof rows) => some.map((row) => row.tag_rid)
  const { all } = withFollowing(tx, ridsOf(rows))
  return { all, named: tagsToPut(tx, ridsOf(rows.filter((row) => row.by_hand))) }
}

/**
 * Adds the tags of another file to one, and returns the part of the merge's entry about them. Throws conflict when the
 * file then has more than it may.
 */
export function joinTags(
  tx: Tx,
  rid: number,
  tags: AddedTags,
): Required<Pick<Details['file_merge'], 'tag_ids' | 'by_rule' | 'named'>> {
  const byHand = new Set(tags.named)
  const byRule = listFileTags(tx, rid).filter((row) => !row.by_hand && byHand.has(row.tag_rid))
  const added = addTags(tx, rid, tags)
  const follow = added.filter((tag) => !byHand.has(tag))
  const named = byRule.map((row) => row.tag_rid)
  return { tag_ids: tagIds(tx, added), by_rule: tagIds(tx, follow), named: tagIds(tx, named) }
}

/** Returns the metadata of two files as JSON text; for a key that both have, the value of the first stays. */
export function joinedMetadata(
  metadata: string | null,
  file: Pick<FileRecord, 'metadata'>,
): string | null {
  if (metadata === null || file.metadata === null) return metadata ?? file.metadata
  return JSON.stringify({ ...JSON.parse(file.metadata), ...JSON.parse(metadata) })
}
