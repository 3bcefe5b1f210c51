import { and, asc, eq, getTableColumns, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { asLimit, prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { fileDetails, files } from '../db/schema/files.ts'
import { importJournal } from '../db/schema/imports.ts'
import { listed } from '../db/sql.ts'
import type { Tx } from '../db/write.ts'

// Says that the bytes of a source are in the library.
type JournalRow = typeof importJournal.$inferSelect

/** Returns the journal's row for a source; there is one only while its file is in the library. */
export function findJournalRow(db: Db, path: string): JournalRow | undefined {
  return db.first(
    reading(getTableColumns(importJournal), (fields) =>
      db.select(fields).from(importJournal).where(eq(importJournal.path, path)),
    ),
  )
}

/**
 * Returns where the library stores what was imported from a source, its type and its SHA-256, if there is a row for it.
 */
export function findJournalContent(
  db: Db,
  source: string,
): { blob: string; mime_type: string; sha256: Uint8Array } | undefined {
  const { path, sha256, file_rid } = importJournal
  return db.first(
    reading({ blob: fileDetails.blob, mime_type: files.mime_type, sha256 }, (fields) =>
      db
        .select(fields)
        .from(importJournal)
        .innerJoin(fileDetails, eq(fileDetails.file_rid, file_rid))
        .innerJoin(files, eq(files.rid, file_rid))
        .where(eq(path, source)),
    ),
  )
}

/** Returns what the journal notes of what a file got, of each of its sources. */
export function listApplied(db: Db, file_rid: number): string[] {
  const { applied } = importJournal
  const rows = db.rows(
    reading({ applied }, (fields) =>
      db
        .select(fields)
        .from(importJournal)
        .where(and(eq(importJournal.file_rid, file_rid), isNotNull(applied))),
    ),
  )
  return rows.map((row) => row.applied!)
}

/** Returns which of the sources have a row. */
export function listJournaled(db: Db, sources: string[]): string[] {
  const { path } = importJournal
  const list = listed(sql`${JSON.stringify(sources)}`)
  const rows = db.rows(
    reading({ path }, (fields) => db.select(fields).from(importJournal).where(inArray(path, list))),
  )
  return rows.map((row) => row.path)
}

const next = prepared({ after: 'text', limit: 'number' }, (db, given) =>
  reading({ path: importJournal.path }, (fields) =>
    db
      .select(fields)
      .from(importJournal)
      .where(gt(importJournal.path, given.after))
      .orderBy(asc(importJournal.path))
      .limit(asLimit(given.limit)),
  ),
)

/** Returns the names of the first sources after a name, in their order. */
export function listJournalPaths(db: Db, page: { after: string; limit: number }): string[] {
  return next.all(db, page).map((row) => row.path)
}

/** Writes the row of a source, in the write that creates its file. */
export function insertJournalRow(
  tx: Tx,
  row: Omit<JournalRow, 'sidecars' | 'applied'> & Partial<JournalRow>,
): void {
  const { path, ...rest } = { sidecars: null, applied: null, ...row }
  tx.execute(
    tx
      .insert(importJournal)
      .values({ path, ...rest })
      .onConflictDoUpdate({ target: importJournal.path, set: rest }),
  )
}

/** Renames the rows of sources; a row whose new name is taken is removed. */
export function renameJournalRows(tx: Tx, renames: { from: string; to: string }[]): void {
  const { path, sha256, file_rid, sidecars, applied } = importJournal
  const list = sql`json_each(${JSON.stringify(renames)}) AS j`
  tx.execute(
    tx
      .insert(importJournal)
      .select(sql`SELECT j.value ->> 'to', ${sha256}, ${file_rid}, ${sidecars}, ${applied}
      FROM ${list} CROSS JOIN ${importJournal} ON ${path} = j.value ->> 'from' WHERE 1`)
      .onConflictDoNothing(),
  )
  deleteJournalRows(
    tx,
    renames.map(({ from }) => from),
  )
}

/** Removes the rows of sources that are gone. */
export function deleteJournalRows(tx: Tx, paths: string[]): void {
  const list = sql`${JSON.stringify(paths)}`
  tx.execute(tx.delete(importJournal).where(inArray(importJournal.path, listed(list))))
}

/** Removes the row of a source that is gone. */
export function deleteJournalRow(db: Db, path: string): void {
  db.execute(db.delete(importJournal).where(eq(importJournal.path, path)))
}
