import type { Db } from './client.ts'

/** Refreshes the statistics of the query planner, from a sample of each table. */
export function optimize(db: Db): void {
  db.get('PRAGMA optimize = 0x10012')
}

/** Moves the content of the write-ahead log into the database file, and empties the log. */
export function emptyLog(db: Db): void {
  db.get('PRAGMA wal_checkpoint(TRUNCATE)')
}

/** Makes the connection refuse every statement that would change the database. */
export function forbidChanges(db: Db): void {
  db.run('PRAGMA query_only = 1')
}

/** Returns the size of the database in bytes. */
export function sizeOf(db: Db): number {
  const { size } = db.get<{ size: number }>(
    'SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size',
  )!
  return size
}

/** Copies the database, as it is at this moment, to a path where no file may exist. */
export function copyTo(db: Db, path: string): void {
  db.run('VACUUM INTO ?', path)
}

/** Returns what SQLite finds wrong with the database, in its words; only `full` checks indexes against their tables. */
export function faultsOf(db: Db, check: 'quick' | 'full' = 'quick'): string[] {
  const pragma = check === 'full' ? 'integrity_check' : 'quick_check'
  const found = db.all<Record<string, string>>(`PRAGMA ${pragma}`)
  return found.map((row) => row[pragma]!).filter((text) => text !== 'ok')
}

/** Returns descriptions of the rows that refer to missing rows. */
export function brokenReferences(db: Db): string[] {
  const broken = db.all<{ table: string; parent: string }>('PRAGMA foreign_key_check')
  return broken.map(
    ({ table, parent }) => `a row of ${table} names one of ${parent} that is not there`,
  )
}

/** Returns whether the database has a table of that name, which those of older versions may lack. */
export function hasTable(db: Db, name: string): boolean {
  return db.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name) !== undefined
}

/** Returns whether a table has a column. */
export function hasColumn(db: Db, table: string, name: string): boolean {
  return db.get('SELECT 1 FROM pragma_table_info(?) WHERE name = ?', table, name) !== undefined
}
