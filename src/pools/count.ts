import { LRUCache } from 'lru-cache'
import { seenNow } from '../auth/seen-now.ts'
import { type Clock, isWithin } from '../base/time.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { perConnection } from '../db/per-connection.ts'
import { countFiles } from '../files/file-set.ts'
import { type Members, membersOf } from '../files/find/members.ts'
import { question } from '../reader/question.ts'
import { allOf } from './list.ts'
import { countHeld, type PoolRecord } from './queries.ts'

/** How long a count of a pool that fills itself is good, in milliseconds. */
const GOOD_FOR = 30_000

const cacheOf = perConnection(
  () => new LRUCache<string, { at: number; count: number }>({ max: 10_000 }),
)

export const countSmart = question('overview', 'smart count', (db: Db, asked: Members): number =>
  countFiles(membersOf(db, seenNow(db, asked))),
)

/**
 * Returns how many files of each pool the viewer may view, not counting trashed ones; of pools that fill themselves, as
 * they were at most 30 s ago.
 */
export async function countPoolFiles(
  db: Db,
  clock: Clock,
  viewer: User,
  pools: PoolRecord[],
): Promise<Map<number, number>> {
  const byHand = pools.filter((pool) => pool.filter === null)
  const held = byHand.map((pool) => pool.rid)
  const counts = await countHeld(db, viewer, held)
  // One after another: a reader answers for each as long as it needs, and lets others ask in between.
  for (const pool of pools) {
    if (pool.filter !== null) counts.set(pool.rid, await countFilled(db, clock, viewer, pool))
  }
  return counts
}

async function countFilled(db: Db, clock: Clock, viewer: User, pool: PoolRecord): Promise<number> {
  const cache = cacheOf(db)
  const key = `${viewer.id} ${viewer.is_admin} ${pool.filter}`
  const known = cache.get(key)
  const at = clock()
  if (known && isWithin(GOOD_FOR, known.at, at)) return known.count
  const count = await countSmart(db, allOf(db, viewer, pool))
  cache.set(key, { at, count })
  return count
}
