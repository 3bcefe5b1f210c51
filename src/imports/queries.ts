import type { Db } from '../db/client.ts'

/** A row of the journal, which says that the bytes of a source are in the library. */
export interface JournalRow {
  path: string
  sha256: Uint8Array
  file_rid: number
}

/** Returns the journal's row for a path; there is one only while its file is in the library. */
export function findJournalRow(db: Db, path: string): JournalRow | undefined {
  return db.get('SELECT path, sha256, file_rid FROM import_journal WHERE path = ?', path)
}

/** Returns the paths of all rows. */
export function listJournalPaths(db: Db): string[] {
  return db.all<{ path: string }>('SELECT path FROM import_journal').map((row) => row.path)
}

/** Writes the row of a source. Call it inside the write that creates the file. */
export function insertJournalRow(db: Db, row: JournalRow): void {
  db.run(
    'INSERT OR REPLACE INTO import_journal (path, sha256, file_rid) VALUES (?, ?, ?)',
    row.path,
    row.sha256,
    row.file_rid,
  )
}

/** Removes the row of a source that is gone. */
export function deleteJournalRow(db: Db, path: string): void {
  db.run('DELETE FROM import_journal WHERE path = ?', path)
}
