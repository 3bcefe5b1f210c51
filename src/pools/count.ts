import { LRUCache } from 'lru-cache'
import { seenNow } from '../auth/seen-now.ts'
import { type Clock, isWithin } from '../base/time.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { perConnection } from '../db/per-connection.ts'
import { readStoredFilter } from '../files/find/list.ts'
import { countMatching } from '../files/find/members.ts'
import { question } from '../reader/question.ts'
import { countHeld, type PoolRecord } from './queries.ts'

/** How long a count of a pool that fills itself is good, in milliseconds. */
const GOOD_FOR = 30_000
// A reader must answer in time for all that one question is about, however large the library is.
const AT_ONCE = 20

const cacheOf = perConnection(
  () => new LRUCache<string, { at: number; count: number }>({ max: 10_000 }),
)

export const countSmart = question(
  'overview',
  'smartCounts',
  (db: Db, asked: { viewer: User; filters: string[] }): number[] => {
    const { viewer, filters } = seenNow(db, asked)
    const trees = filters.map((filter) => readStoredFilter(db, viewer, filter))
    return countMatching(db, viewer, trees)
  },
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
  const filters = pools.flatMap(({ filter }) => filter ?? [])
  const filled = await countFilled(db, clock, viewer, new Set(filters))
  for (const { rid, filter } of pools) if (filter !== null) counts.set(rid, filled.get(filter)!)
  return counts
}

async function countFilled(
  db: Db,
  clock: Clock,
  viewer: User,
  filters: Set<string>,
): Promise<Map<string, number>> {
  const cache = cacheOf(db)
  const keyOf = (filter: string) => `${viewer.id} ${viewer.is_admin} ${filter}`
  const counts = new Map<string, number>()
  for (const filter of filters) {
    const known = cache.get(keyOf(filter))
    if (known && isWithin(GOOD_FOR, known.at, clock())) counts.set(filter, known.count)
  }
  const others = [...filters].filter((filter) => !counts.has(filter))
  for (let n = 0; n < others.length; n += AT_ONCE) {
    const asked = others.slice(n, n + AT_ONCE)
    const at = clock()
    const found = await countSmart(db, { viewer, filters: asked })
    for (const [i, filter] of asked.entries()) {
      const count = found[i]!
      counts.set(filter, count)
      cache.set(keyOf(filter), { at, count })
    }
  }
  return counts
}
