import type { Db } from './client.ts'

/** Refreshes the statistics of the query planner, from a sample of each table. */
export function optimize(db: Db): void {
  db.get('PRAGMA optimize = 0x10012')
}

/** Moves what is in the write-ahead log into the database file, and empties the log. */
export function emptyLog(db: Db): void {
  db.get('PRAGMA wal_checkpoint(TRUNCATE)')
}
