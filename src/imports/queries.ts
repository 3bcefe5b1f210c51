import { eq } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { importJournal } from '../db/schema/imports.ts'
import type { Tx } from '../db/write.ts'

/** A row of the journal, which says that the bytes of a source are in the library. */
type JournalRow = typeof importJournal.$inferSelect

/** Returns the journal's row for a path; there is one only while its file is in the library. */
export function findJournalRow(db: Db, path: string): JournalRow | undefined {
  return db.select().from(importJournal).where(eq(importJournal.path, path)).get()
}

/** Returns the paths of all rows. */
export function listJournalPaths(db: Db): string[] {
  const rows = db.select({ path: importJournal.path }).from(importJournal).all()
  return rows.map((row) => row.path)
}

/** Writes the row of a source, in the write that creates its file. */
export function insertJournalRow(tx: Tx, row: JournalRow): void {
  const { path, ...rest } = row
  tx.insert(importJournal)
    .values(row)
    .onConflictDoUpdate({ target: importJournal.path, set: rest })
    .run()
}

/** Names a source by another path. */
export function renameJournalRow(db: Db, path: string, other: string): void {
  db.update(importJournal).set({ path: other }).where(eq(importJournal.path, path)).run()
}

/** Removes the row of a source that is gone. */
export function deleteJournalRow(db: Db, path: string): void {
  db.delete(importJournal).where(eq(importJournal.path, path)).run()
}
