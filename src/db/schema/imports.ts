import { foreignKey, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { bytes } from '../columns.ts'
import { files } from './files.ts'

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
