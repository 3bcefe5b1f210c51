import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { asLimit, prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { auditLog } from '../db/schema/audit.ts'

const { id, user_id, user_name, action, details, performed_at, operation } = auditLog
// Longer details are read one by one.
const LONG = 32 * 1024
const isLong = sql`octet_length(${details}) > ${LONG}`
const SHOWN = {
  id,
  user_id,
  user_name,
  action,
  details: sql<string | null>`iif(${isLong}, NULL, ${details})`.as('details'),
  is_long: sql<number | null>`${isLong}`.as('is_long'),
  performed_at,
  operation,
}

// Details are JSON text, and not read when they are long.
type HistoryRow = Pick<
  typeof auditLog.$inferSelect,
  'id' | 'user_id' | 'user_name' | 'action' | 'details' | 'performed_at' | 'operation'
> & { is_long: number | null }

const before = prepared(
  { object_id: auditLog.object_id, performed_at, id, limit: 'number' },
  (db, given) =>
    reading(SHOWN, (fields) =>
      db
        .select(fields)
        .from(auditLog)
        .where(
          and(
            eq(auditLog.object_id, given.object_id),
            sql`(${performed_at}, ${id}) < (${given.performed_at}, ${given.id})`,
          ),
        )
        .orderBy(desc(performed_at), desc(id))
        .limit(asLimit(given.limit)),
    ),
)

/** Returns entries about an object that come after a place in its history, newest first. */
export function listEntriesAbout(
  db: Db,
  object_id: string,
  place: { performed_at: number; id: number },
  limit: number,
): HistoryRow[] {
  return before.all(db, { object_id, ...place, limit })
}

// How many entries about one object may have the same millisecond.
const OF_ONE_TIME = 1000

const ranked = prepared({ object_id: auditLog.object_id, performed_at, id }, (db, given) =>
  reading({ rank: sql<number>`count(*)`.as('rank') }, (fields) =>
    db
      .select(fields)
      .from(auditLog)
      .where(
        and(
          eq(auditLog.object_id, given.object_id),
          eq(performed_at, given.performed_at),
          lt(id, given.id),
        ),
      ),
  ),
)

/**
 * Returns the number of an entry in the history of an object: its time, and its rank among those of that time. Its id
 * in the log would reveal how much others do.
 */
export function numberInHistory(
  db: Db,
  object_id: string,
  entry: { performed_at: number; id: number },
): number {
  return entry.performed_at * OF_ONE_TIME + ranked.get(db, { object_id, ...entry })!.rank
}

/** Returns the place of an entry in the history of an object by that number, or undefined when there is none. */
export function placeInHistory(
  db: Db,
  object_id: string,
  number: number,
): { performed_at: number; id: number } | undefined {
  const time = Math.floor(number / OF_ONE_TIME)
  return db.first(
    reading({ performed_at, id }, (fields) =>
      db
        .select(fields)
        .from(auditLog)
        .where(and(eq(performed_at, time), eq(auditLog.object_id, object_id)))
        .orderBy(id)
        .limit(1)
        .offset(number % OF_ONE_TIME),
    ),
  )
}
