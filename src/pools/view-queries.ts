import { sql } from 'drizzle-orm'
import { DAY } from '../base/time.ts'
import { prepared } from '../db/prepared.ts'
import { poolViewDays } from '../db/schema/views.ts'
import type { Tx } from '../db/write.ts'

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
