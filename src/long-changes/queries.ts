import { asc, count, eq, getTableColumns } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { longChanges } from '../db/schema/background.ts'
import type { Tx } from '../db/write.ts'

/** A change that is under way; `state` is JSON text. */
export type ChangeRow = typeof longChanges.$inferSelect

const { id, subject, operation, state } = longChanges

const inserted = prepared(
  {
    kind: longChanges.kind,
    subject,
    user_id: longChanges.user_id,
    user_name: longChanges.user_name,
    operation,
    state,
    started_at: longChanges.started_at,
  },
  (db, given) => db.insert(longChanges).values(given),
)

export function insertChange(tx: Tx, change: Omit<ChangeRow, 'id'>): void {
  inserted.run(tx, change)
}

const bySubject = prepared({ subject }, (db, given) =>
  reading(getTableColumns(longChanges), (fields) =>
    db.select(fields).from(longChanges).where(eq(subject, given.subject)),
  ),
)

/** Returns the change of a subject, if one is under way. */
export function findChange(db: Db, subject: string): ChangeRow | undefined {
  return bySubject.get(db, { subject })
}

/** Returns the changes of a kind that are under way, the oldest first. */
export function listChanges(db: Db, kind: string): ChangeRow[] {
  return db.rows(
    reading(getTableColumns(longChanges), (fields) =>
      db
        .select(fields)
        .from(longChanges)
        .where(eq(longChanges.kind, kind))
        .orderBy(asc(longChanges.id)),
    ),
  )
}

/** Returns the subjects of all changes that are under way, the oldest first. */
export function listSubjects(db: Db): string[] {
  const rows = db.rows(
    reading({ subject }, (fields) =>
      db.select(fields).from(longChanges).orderBy(asc(longChanges.id)),
    ),
  )
  return rows.map((row) => row.subject)
}

const ofKind = prepared({ kind: longChanges.kind }, (db, given) =>
  reading({ subject }, (fields) =>
    db.select(fields).from(longChanges).where(eq(longChanges.kind, given.kind)),
  ),
)

/** Returns the subjects of the changes of a kind that are under way. */
export function subjectsOfKind(db: Db, kind: string): string[] {
  return ofKind.all(db, { kind }).map((row) => row.subject)
}

/** Returns the subjects of the changes that are under way as parts of an operation. */
export function subjectsOf(db: Db, number: number): string[] {
  const rows = db.rows(
    reading({ subject }, (fields) =>
      db.select(fields).from(longChanges).where(eq(operation, number)),
    ),
  )
  return rows.map((row) => row.subject)
}

/** Returns how many changes are under way. */
export function countChanges(db: Db): number {
  return (
    db.first(reading({ changes: count() }, (fields) => db.select(fields).from(longChanges)))
      ?.changes ?? 0
  )
}

const updated = prepared({ id, operation, state }, (db, given) =>
  db
    .update(longChanges)
    .set({ operation: given.operation, state: given.state })
    .where(eq(id, given.id)),
)

/** Stores the progress of a change. */
export function updateChange(tx: Tx, change: Pick<ChangeRow, 'id' | 'operation' | 'state'>): void {
  updated.run(tx, change)
}

const deleted = prepared({ id }, (db, given) => db.delete(longChanges).where(eq(id, given.id)))

/** Removes a finished change. */
export function deleteChange(tx: Tx, id: number): void {
  deleted.run(tx, { id })
}
