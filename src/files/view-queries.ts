import { sql } from 'drizzle-orm'
import { DAY } from '../base/time.ts'
import { prepared } from '../db/prepared.ts'
import { fileViewDays, poolViewDays } from '../db/schema/views.ts'
import type { Tx } from '../db/write.ts'

const OBJECTS = {
  file: { table: fileViewDays, object: fileViewDays.file_rid },
  pool: { table: poolViewDays, object: poolViewDays.pool_rid },
}

const viewed = (type: keyof typeof OBJECTS) => {
  const { table, object } = OBJECTS[type]
  const { user_id, day, viewed_at } = table
  return prepared({ rid: object, user_id, day, viewed_at }, (db, { rid, ...given }) =>
    db
      .insert(table)
      .values({ ...given, [object.name]: rid })
      .onConflictDoUpdate({
        target: [object, user_id, day],
        set: { viewed_at: sql`max(${viewed_at}, excluded.viewed_at)` },
      }),
  )
}
const VIEWED = { file: viewed('file'), pool: viewed('pool') }

/** Records that a user viewed a file or a pool. */
export function recordView(
  tx: Tx,
  { type, rid }: { type: keyof typeof OBJECTS; rid: number },
  user_id: number,
): void {
  VIEWED[type].run(tx, { rid, user_id, day: Math.floor(tx.now / DAY), viewed_at: tx.now })
}
