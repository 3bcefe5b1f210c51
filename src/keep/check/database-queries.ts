import type { Db } from '../../db/client.ts'
import type { Tx } from '../../db/write.ts'

/** Returns what SQLite finds wrong with its file and with each of its tables and indexes, at most a hundred sentences. */
export function integrityErrors(db: Db): string[] {
  return messagesOf(db, 'PRAGMA integrity_check')
}

/**
 * Returns what SQLite finds wrong with how the full-text index is built. In a transaction, beside a process that writes:
 * FTS5 checks by the list of parts that its connection has read last, of which some may be gone, unless a query has
 * come first (979 of 27,595 checks beside a busy writer told of damage, and none of 21,070 so).
 */
export function fullTextErrors(db: Db): string[] {
  db.get('SELECT 1 FROM files_fts LIMIT 1')
  return messagesOf(db, 'PRAGMA integrity_check(files_fts)')
}

function messagesOf(db: Db, pragma: string): string[] {
  const rows = db.all<{ integrity_check: string }>(pragma)
  // One sentence may have several lines, such as one for each page.
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

/** A table, index or trigger. */
interface SchemaObject {
  type: string
  name: string
  /** What makes it. */
  sql: string
}

/** Returns what the database consists of, but for what SQLite makes by itself. */
export function schemaObjects(db: Db): SchemaObject[] {
  return db.all(
    "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY rowid",
  )
}

/** Makes a part of the schema that is missing. */
export function makeSchemaObject(tx: Tx, { sql }: SchemaObject): void {
  tx.run(sql)
}

/** Makes an index anew from its table. */
export function reindex(tx: Tx, name: string): void {
  tx.run(`REINDEX "${name.replaceAll('"', '""')}"`)
}
