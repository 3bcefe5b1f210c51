import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { ObjectType } from '../base/enums.ts'
import type { Db } from '../db/client.ts'
import { type Given, type Parameters, prepared, type Values } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { auditLog } from '../db/schema/audit.ts'
import type { Tx } from '../db/write.ts'
import { type AuditAction, DETAILS_VERSION } from './details.ts'
import type { AuditRow } from './queries.ts'

const { id: _, ...ENTRY } = getTableColumns(auditLog)

const inserted = prepared(ENTRY, (db, given) => db.insert(auditLog).values(given))

/** Writes one entry, the newest. */
export function insertEntry(tx: Tx, entry: Omit<AuditRow, 'id'>): void {
  inserted.run(tx, entry)
}

const last = prepared({}, (db) =>
  reading({ id: sql<number>`seq`.as('id') }, (fields) =>
    db.select(fields).from(sql`sqlite_sequence`).where(sql`name = 'audit_log'`),
  ),
)

/** Returns the id of the last entry written, even if it was deleted, or 0. */
export function lastEntryId(db: Db): number {
  return last.get(db, {})?.id ?? 0
}

// How many numbers each user has. The first range is the system's and includes numbers from earlier versions, which are
// ids of entries.
const OF_ONE_USER = 1e10

const ofUser = prepared({ from: 'number', before: 'number' }, (db, given) =>
  reading({ operation: sql<number | null>`max(${auditLog.operation})`.as('operation') }, (fields) =>
    db
      .select(fields)
      .from(auditLog)
      .where(
        sql`${auditLog.operation} IS NOT NULL
          AND ${auditLog.operation} >= ${given.from} AND ${auditLog.operation} < ${given.before}`,
      ),
  ),
)

/** Returns the number of a user's newest operation in the log, or the one before their first. */
export function lastOperation(db: Db, user_id: number): number {
  const from = user_id * OF_ONE_USER
  return ofUser.get(db, { from, before: from + OF_ONE_USER })?.operation ?? from
}

const outlived = prepared({ time: auditLog.performed_at, limit: 'number' }, (db, given) =>
  db.delete(auditLog).where(
    sql`${auditLog.id} IN (
        SELECT ${auditLog.id} FROM ${auditLog}
        WHERE ${auditLog.performed_at} < ${given.time} LIMIT ${given.limit})`,
  ),
)

/** Deletes some of the entries from before a time, and returns how many. */
export function deleteEntriesBefore(tx: Tx, page: { time: number; limit: number }): number {
  return outlived.run(tx, page)
}

// The columns besides the object's.
const WRITTEN = {
  user_id: auditLog.user_id,
  user_name: auditLog.user_name,
  performed_at: auditLog.performed_at,
  operation: auditLog.operation,
}

/**
 * Returns the statement that writes an entry for each object of a set. `select` gets the parameters and selects each
 * object's `id`, as it is stored, and its `details`, as JSON text.
 */
export function insertedEntries<P extends Parameters>(
  action: AuditAction,
  object_type: ObjectType,
  parameters: P,
  select: (given: Given<P>) => SQL,
): { run(db: Db, values: Values<P> & Values<typeof WRITTEN>): number } {
  return prepared({ ...parameters, ...WRITTEN }, (db, given) => {
    const { user_id, user_name, performed_at, operation } = given as Given<typeof WRITTEN>
    const entries = db
      .select({
        id: sql`NULL`.as('id'),
        user_id: sql`${user_id}`.as('user_id'),
        user_name: sql`${user_name}`.as('user_name'),
        action: sql`${action}`.as('action'),
        object_type: sql`${object_type}`.as('object_type'),
        object_id: sql`changed.id`.as('object_id'),
        details: sql`changed.details`.as('details'),
        performed_at: sql`${performed_at}`.as('performed_at'),
        operation: sql`${operation}`.as('operation'),
        details_version: sql`${DETAILS_VERSION}`.as('details_version'),
      })
      .from(sql`(${select(given as Given<P>)}) AS changed`)
    return db.insert(auditLog).select(entries)
  })
}

/** Selects the objects of a JSON list of [id in hexadecimal, details as JSON text]. */
export const listedEntries = (given: Given<{ entries: 'text' }>): SQL =>
  sql`SELECT unhex(value ->> 0) AS id, value ->> 1 AS details FROM json_each(${given.entries})`
