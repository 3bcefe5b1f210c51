import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { auditLog } from '../db/schema/audit.ts'

/** Returns whether an operation has been undone. */
export function isUndone(db: Db, operation: number): boolean {
  const undo = db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.action, 'operation_undo'),
        gt(auditLog.id, operation),
        eq(sql`${auditLog.details} ->> '$.operation'`, operation),
      ),
    )
    .limit(1)
    .get()
  return undo !== undefined
}

// An operation may have very many entries, of which this is one; few of all are of this kind.
const undo = prepared({ operation: auditLog.operation }, (db, given) =>
  db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(eq(auditLog.action, 'operation_undo'), sql`+${auditLog.operation} = ${given.operation}`),
    )
    .limit(1),
)

/** Returns whether an operation took back another one. */
export function isUndo(db: Db, operation: number): boolean {
  return undo.get(db, { operation }) !== undefined
}

/** Returns the subject of the long change that undoes an operation. */
export function undoSubject(operation: number): string {
  return `undo ${operation}`
}

const change = sql`${auditLog.details} -> '$.changes.content_datetime'`

const changes = prepared({ object_id: auditLog.object_id }, (db, given) =>
  db
    .select({
      user_id: auditLog.user_id,
      operation: auditLog.operation,
      from: sql<string>`${change} ->> '$.from'`.as('from'),
    })
    .from(auditLog)
    .where(and(eq(auditLog.object_id, given.object_id), isNotNull(change)))
    .orderBy(asc(auditLog.id)),
)

/** A change of a file's date that the audit log tells. */
interface DateChange {
  user_id: number
  operation: number | null
  /** ISO 8601. */
  from: string
}

/** Returns the changes of a file's date, the first one first. */
export function listDateChanges(db: Db, id: string): DateChange[] {
  return changes.all(db, { object_id: id })
}
