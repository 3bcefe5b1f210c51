import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { auditLog } from '../db/schema/audit.ts'

const { id, user_id, user_name, action, details, performed_at, operation } = auditLog
/** Longer details are read one by one. */
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

/** An entry about a file; its details are JSON text, and not read when they are long. */
type HistoryRow = Pick<
  typeof auditLog.$inferSelect,
  'id' | 'user_id' | 'user_name' | 'action' | 'details' | 'performed_at' | 'operation'
> & { is_long: number | null }

const before = prepared(
  { object_id: auditLog.object_id, performed_at, id, limit: 'number' },
  (db, given) =>
    db
      .select(SHOWN)
      .from(auditLog)
      .where(
        and(
          eq(auditLog.object_id, given.object_id),
          sql`(${performed_at}, ${id}) < (${given.performed_at}, ${given.id})`,
        ),
      )
      .orderBy(desc(performed_at), desc(id))
      .limit(given.limit as unknown as number),
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

/** Returns the place of an entry in the history of an object, if it is about that. */
export function placeInHistory(
  db: Db,
  object_id: string,
  entry: number,
): { performed_at: number; id: number } | undefined {
  return db
    .select({ performed_at, id })
    .from(auditLog)
    .where(and(eq(id, entry), eq(auditLog.object_id, object_id)))
    .get()
}
