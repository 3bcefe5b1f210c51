import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { owedWork } from '../db/schema/background.ts'
import { files } from '../db/schema/files.ts'
import type { Tx } from '../db/write.ts'

const { file_rid, work } = owedWork

/** Returns the rids of the files that a kind of work owes another try, the oldest first. */
export function listOwed(db: Db, name: string): number[] {
  const owed = db.select({ rid: file_rid }).from(owedWork).where(eq(work, name))
  return owed
    .orderBy(asc(file_rid))
    .all()
    .map(({ rid }) => rid)
}

/** Returns whether a kind of work owes any file another try. */
export function hasOwed(db: Db, name: string): boolean {
  const owed = db.select({ rid: file_rid }).from(owedWork).where(eq(work, name)).limit(1)
  return owed.get() !== undefined
}

const added = prepared({ rid: files.rid, work }, (db, given) =>
  db
    .insert(owedWork)
    .select(
      db
        .select({ file_rid: files.rid, work: sql<string>`${given.work}`.as('work') })
        .from(files)
        .where(eq(files.rid, given.rid)),
    )
    .onConflictDoNothing(),
)

/** Writes down that a kind of work owes a file another try, if there is such a file. */
export function addOwed(tx: Tx, name: string, rid: number): void {
  added.run(tx, { rid, work: name })
}

const removed = prepared({ file_rid, work }, (db, given) =>
  db.delete(owedWork).where(and(eq(file_rid, given.file_rid), eq(work, given.work))),
)

/** Writes down that a kind of work owes a file nothing. */
export function removeOwed(tx: Tx, name: string, rid: number): void {
  removed.run(tx, { file_rid: rid, work: name })
}

/** Writes down that a kind of work owes no file anything. */
export function removeAllOwed(tx: Tx, name: string): void {
  tx.delete(owedWork).where(eq(work, name)).run()
}
