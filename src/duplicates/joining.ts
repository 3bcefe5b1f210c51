import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import type { FileRecord } from '../files/queries.ts'
import { joinByMerge } from '../pools/arrange.ts'
import { placesWithout } from './queries.ts'

// The pools that retained files join, once for all of them.
interface Joining {
  /** Notes the pools of a file that is merged into `keep`; returns those that `keep` was not yet to join. */
  add(keep: FileRecord, discard: FileRecord): string[]
  /** Adds the retained files to the pools, each right after the first of the files that are merged into it. */
  join(): void
}

/** Returns a joining of no pools yet. */
export function createJoining(tx: Tx, user: User): Joining {
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
