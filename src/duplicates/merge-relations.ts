import type { Details } from '../audit/details.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { type FileRecord, listFileTags } from '../files/queries.ts'
import { joinByMerge } from '../pools/arrange.ts'
import { type AddedTags, addTags, withFollowing } from '../tags/apply.ts'
import { tagsToPut } from '../tags/merge/under-way.ts'
import { standingTags, tagIds } from '../tags/queries.ts'
import { placesWithout } from './queries.ts'

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

// The pools that retained files join, once for all of them.
interface PoolJoin {
  /** Notes the pools of a file that is merged into `keep`; returns those that `keep` was not yet to join. */
  add(keep: FileRecord, discard: FileRecord): string[]
  /** Adds the retained files to the pools, each right after the first of the files that are merged into it. */
  join(): void
}

/** Returns a list of pools to join, empty at first. */
export function createPoolJoin(tx: Tx, user: User): PoolJoin {
  const pools = new Map<number, { id: string; places: Map<number, Place> }>()
  return {
    add(keep, discard) {
      return placesWithout(tx, discard.rid, keep.rid).flatMap(
        ({ pool_rid, pool_id, order_key }) => {
          const pool = pools.get(pool_rid) ?? { id: pool_id, places: new Map() }
          pools.set(pool_rid, pool)
          const known = pool.places.get(keep.rid)
          if (known) {
            known.after = Math.min(known.after, order_key)
            known.merged.push(discard.rid)
            return []
          }
          pool.places.set(keep.rid, { file: keep, after: order_key, merged: [discard.rid] })
          return [pool_id]
        },
      )
    },
    join() {
      for (const [rid, { id, places }] of pools)
        joinByMerge(tx, user, { rid, id }, [...places.values()])
    },
  }
}

interface Place {
  file: FileRecord
  /** The key of the first file that is merged into it. */
  after: number
  /** The files of the pool that are merged into it, by their row numbers. */
  merged: number[]
}
