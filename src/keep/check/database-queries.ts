import type { Db } from '../../db/client.ts'
import type { Tx } from '../../db/write.ts'

/** Returns SQLite's complaints about its file, tables and indexes, at most a hundred lines. */
export function integrityErrors(db: Db): string[] {
  return messagesOf(db, 'PRAGMA integrity_check')
}

/**
 * Returns SQLite's complaints about the structure of the full-text index. Runs in a transaction, beside a process that
 * writes: FTS5 checks against the list of segments that its connection read last, of which some may be gone, so a query
 * must come first. Otherwise, it sometimes reports damage that isn't there.
 */
export function fullTextErrors(db: Db): string[] {
  db.get('SELECT 1 FROM files_fts LIMIT 1')
  return messagesOf(db, 'PRAGMA integrity_check(files_fts)')
}

function messagesOf(db: Db, pragma: string): string[] {
  const rows = db.all<{ integrity_check: string }>(pragma)
  // One message may have several lines, such as one for each page.
  const lines = rows.flatMap((row) => row.integrity_check.split('\n'))
  return lines.filter((line) => line !== 'ok' && line !== '')
}

/** Returns how many rows of which tables name a row of another table that isn't there. */
export function brokenForeignKeys(db: Db): { child: string; parent: string; rows: number }[] {
  return db.all(
    `SELECT "table" AS child, parent, count(*) AS rows FROM pragma_foreign_key_check
     GROUP BY child, parent ORDER BY child, parent`,
  )
}

interface SchemaObject {
  type: string
  name: string
  sql: string
}

/** Returns all objects of the schema except those that SQLite makes by itself. */
export function schemaObjects(db: Db): SchemaObject[] {
  return db.all(
    "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY rowid",
  )
}

/** Creates a missing object of the schema. */
export function makeSchemaObject(tx: Tx, { sql }: SchemaObject): void {
  tx.run(sql)
}

/** Rebuilds an index from its table. */
export function reindex(tx: Tx, name: string): void {
  tx.run(`REINDEX "${name.replaceAll('"', '""')}"`)
}
