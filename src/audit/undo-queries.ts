import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { auditLog } from '../db/schema/audit.ts'

const firstOf = (operation: number | SQL) => {
  const { id, operation: number } = alias(auditLog, 'of_operation')
  return sql`(SELECT min(${id}) FROM ${auditLog} AS of_operation WHERE ${number} = ${operation})`
}

export function isUndone(db: Db, operation: number): boolean {
  const undo = db.first(
    reading({ id: auditLog.id }, (fields) =>
      db
        .select(fields)
        .from(auditLog)
        .where(
          and(
            eq(auditLog.action, 'operation_undo'),
            gt(auditLog.id, firstOf(operation)),
            eq(sql`${auditLog.details} ->> '$.operation'`, operation),
          ),
        )
        .limit(1),
    ),
  )
  return undo !== undefined
}

// An operation may have very many entries, of which this is one; the log has few of this kind.
const undo = prepared({ operation: auditLog.operation }, (db, given) =>
  reading({ of: sql<number>`${auditLog.details} ->> '$.operation'`.as('of') }, (fields) =>
    db
      .select(fields)
      .from(auditLog)
      .where(
        and(
          eq(auditLog.action, 'operation_undo'),
          sql`+${auditLog.operation} = ${given.operation}`,
        ),
      )
      .limit(1),
  ),
)

/** Returns the operation that another one undid, or undefined when that is no undo. */
export function tookBack(db: Db, operation: number): number | undefined {
  return undo.get(db, { operation })?.of
}

// All entries of a merge are written at once; one of its own may come after very many others.
const merge = prepared({ operation: auditLog.operation }, (db, given) => {
  const first = alias(auditLog, 'first')
  const { performed_at } = first
  const begun = db
    .select({ performed_at })
    .from(first)
    .where(eq(first.id, firstOf(given.operation)))
  return reading({ id: auditLog.id }, (fields) =>
    db
      .select(fields)
      .from(auditLog)
      .where(
        and(
          eq(auditLog.action, 'file_merge'),
          eq(auditLog.performed_at, begun),
          sql`+${auditLog.operation} = ${given.operation}`,
        ),
      )
      .limit(1),
  )
})

export function isMerge(db: Db, operation: number): boolean {
  return merge.get(db, { operation }) !== undefined
}

/** Returns the subject of the long change that undoes an operation. */
export function undoSubject(operation: number): string {
  return `undo ${operation}`
}
