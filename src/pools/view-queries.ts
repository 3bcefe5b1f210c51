import { asc, lte, sql } from 'drizzle-orm'
import { prepared } from '../db/prepared.ts'
import { poolViewDays, poolViews } from '../db/schema/views.ts'
import type { Tx } from '../db/write.ts'
import { DAY } from '../time.ts'

const latest = sql`max(${poolViewDays.viewed_at}, excluded.viewed_at)`

const viewed = prepared(
  {
    pool_rid: poolViewDays.pool_rid,
    user_id: poolViewDays.user_id,
    day: poolViewDays.day,
    viewed_at: poolViewDays.viewed_at,
  },
  (db, given) =>
    db
      .insert(poolViewDays)
      .values(given)
      .onConflictDoUpdate({
        target: [poolViewDays.pool_rid, poolViewDays.user_id, poolViewDays.day],
        set: { viewed_at: latest },
      }),
)

/** Records that a user viewed a pool. */
export function recordPoolView(tx: Tx, pool_rid: number, user_id: number): void {
  viewed.run(tx, { pool_rid, user_id, day: Math.floor(tx.now / DAY), viewed_at: tx.now })
}

/**
 * Folds the oldest views of pools that are kept one by one, `rows` at most, into their days. Returns
 * whether there may be more.
 */
export function foldPoolViews(tx: Tx, rows: number): boolean {
  const ids = tx
    .select({ id: poolViews.id })
    .from(poolViews)
    .orderBy(asc(poolViews.id))
    .limit(rows)
    .all()
  const last = ids.at(-1)
  if (!last) return false
  const folded = lte(poolViews.id, last.id)
  const day = sql<number>`${poolViews.viewed_at} / 86400000`
  tx.insert(poolViewDays)
    .select(
      tx
        .select({
          pool_rid: poolViews.pool_rid,
          user_id: poolViews.user_id,
          day: day.as('day'),
          viewed_at: sql<number>`max(${poolViews.viewed_at})`.as('viewed_at'),
        })
        .from(poolViews)
        .where(folded)
        .groupBy(poolViews.pool_rid, poolViews.user_id, day),
    )
    .onConflictDoUpdate({
      target: [poolViewDays.pool_rid, poolViewDays.user_id, poolViewDays.day],
      set: { viewed_at: latest },
    })
    .run()
  tx.delete(poolViews).where(folded).run()
  return ids.length === rows
}
