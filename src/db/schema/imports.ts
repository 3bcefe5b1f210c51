import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { bytes } from '../columns.ts'
import { files } from './files.ts'
import { pools } from './pools.ts'

/** Imports whose source may still be in the import folder; a row is committed with its file. */
export const importJournal = sqliteTable(
  'import_journal',
  {
    path: text().primaryKey(),
    sha256: bytes().notNull(),
    file_rid: integer().notNull(),
    /** The SHA-256 of the sidecars from which the file got tags; null when there were none. */
    sidecars: bytes(),
    /** What the file got from its own description and from the sidecars', as JSON. */
    applied: text(),
  },
  (t) => [
    index('import_journal_file').on(t.file_rid),
    foreignKey({ columns: [t.file_rid], foreignColumns: [files.rid] }).onDelete('cascade'),
  ],
)

/**
 * What imports have made of lines of a `library.json` that may still be in the import folder: a pool, by the digest of its
 * line; a row without a pool has the digest of the whole, and says that all of it has been imported.
 */
export const importLines = sqliteTable(
  'import_lines',
  {
    /** The name of the `library.json`, as in the journal. */
    path: text().notNull(),
    sha256: bytes().notNull(),
    pool_rid: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.path, t.sha256] }),
    index('import_lines_pool').on(t.pool_rid).where(sql`pool_rid IS NOT NULL`),
    foreignKey({ columns: [t.pool_rid], foreignColumns: [pools.rid] }).onDelete('cascade'),
  ],
)
