import { and, eq, gt, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
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

/** Returns the subject of the long change that undoes an operation. */
export function undoSubject(operation: number): string {
  return `undo ${operation}`
}
