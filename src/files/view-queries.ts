import { sql } from 'drizzle-orm'
import { DAY } from '../base/time.ts'
import { prepared } from '../db/prepared.ts'
import { fileViewDays } from '../db/schema/views.ts'
import type { Tx } from '../db/write.ts'

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
