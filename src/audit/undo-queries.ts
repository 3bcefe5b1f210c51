import { and, eq, gt, sql } from 'drizzle-orm'
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
