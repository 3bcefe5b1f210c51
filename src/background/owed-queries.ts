import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { owedWork } from '../db/schema/background.ts'
import { files } from '../db/schema/files.ts'
import type { Tx } from '../db/write.ts'

const { file_rid, work } = owedWork

/** Returns the rids of the files that a kind of work is to try again, the oldest first. */
export function listOwed(db: Db, name: string): number[] {
  const owed = reading({ file_rid }, (fields) =>
    db.select(fields).from(owedWork).where(eq(work, name)).orderBy(asc(file_rid)),
  )
  return db.rows(owed).map((row) => row.file_rid)
}

/** Returns whether a kind of work is to try any file again. */
export function hasOwed(db: Db, name: string): boolean {
  const owed = reading({ file_rid }, (fields) =>
    db.select(fields).from(owedWork).where(eq(work, name)).limit(1),
  )
  return db.first(owed) !== undefined
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

/** Records that a kind of work is to try a file again, if the file exists. */
export function addOwed(tx: Tx, name: string, rid: number): void {
  added.run(tx, { rid, work: name })
}

const removed = prepared({ file_rid, work }, (db, given) =>
  db.delete(owedWork).where(and(eq(file_rid, given.file_rid), eq(work, given.work))),
)

/** Records that a kind of work need not try a file again. */
export function removeOwed(tx: Tx, name: string, rid: number): void {
  removed.run(tx, { file_rid: rid, work: name })
}

/** Records that a kind of work need not try any file again. */
export function removeAllOwed(tx: Tx, name: string): void {
  tx.execute(tx.delete(owedWork).where(eq(work, name)))
}
