import { asc, lte, sql } from 'drizzle-orm'
import { prepared } from '../db/prepared.ts'
import { fileViewDays, fileViews } from '../db/schema/views.ts'
import type { Tx } from '../db/write.ts'
import { DAY } from '../time.ts'

const latest = sql`max(${fileViewDays.viewed_at}, excluded.viewed_at)`

const viewed = prepared(
  {
    file_rid: fileViewDays.file_rid,
    user_id: fileViewDays.user_id,
    day: fileViewDays.day,
    viewed_at: fileViewDays.viewed_at,
  },
  (db, given) =>
    db
      .insert(fileViewDays)
      .values(given)
      .onConflictDoUpdate({
        target: [fileViewDays.file_rid, fileViewDays.user_id, fileViewDays.day],
        set: { viewed_at: latest },
      }),
)

/** Records that a user viewed a file. */
export function recordView(tx: Tx, file_rid: number, user_id: number): void {
  viewed.run(tx, { file_rid, user_id, day: Math.floor(tx.now / DAY), viewed_at: tx.now })
}

/**
 * Folds the oldest views of files that are kept one by one, `rows` at most, into their days. Returns
 * whether there may be more.
 */
export function foldFileViews(tx: Tx, rows: number): boolean {
  const ids = tx
    .select({ id: fileViews.id })
    .from(fileViews)
    .orderBy(asc(fileViews.id))
    .limit(rows)
    .all()
  const last = ids.at(-1)
  if (!last) return false
  const folded = lte(fileViews.id, last.id)
  const day = sql<number>`${fileViews.viewed_at} / 86400000`
  tx.insert(fileViewDays)
    .select(
      tx
        .select({
          file_rid: fileViews.file_rid,
          user_id: fileViews.user_id,
          day: day.as('day'),
          viewed_at: sql<number>`max(${fileViews.viewed_at})`.as('viewed_at'),
        })
        .from(fileViews)
        .where(folded)
        .groupBy(fileViews.file_rid, fileViews.user_id, day),
    )
    .onConflictDoUpdate({
      target: [fileViewDays.file_rid, fileViewDays.user_id, fileViewDays.day],
      set: { viewed_at: latest },
    })
    .run()
  tx.delete(fileViews).where(folded).run()
  return ids.length === rows
}
