import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { bytes, flag, instant, uuid } from '../columns.ts'
import { files } from './files.ts'
import { uploads } from './uploads.ts'
import { users } from './users.ts'

/**
 * What a user has sent to the drop box, under the names that it was sent with. An entry stays as it is when its file is
 * renamed, trashed, merged or purged, so that no phone sends it again.
 */
export const davEntries = sqliteTable(
  'dav_entries',
  {
    rid: integer().primaryKey(),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The names of the folders above it, as in `DCIM/Camera`; empty at the top. */
    folder: text().notNull(),
    name: text().notNull(),
    is_folder: flag().notNull(),
    /** Null of a folder, of what has no content yet, and once the file is purged. */
    file_rid: integer().references(() => files.rid, { onDelete: 'set null' }),
    /** The part that has its bytes until it is moved to the name of a file; the entry goes with the part. */
    upload_id: uuid().references(() => uploads.id, { onDelete: 'cascade' }),
    /** Bytes that were sent. */
    size: integer().notNull(),
    /** The digest of what was sent; null of a folder and of what has no bytes. */
    sha256: bytes(),
    /** When the source was last changed; null where no client has said. */
    modified_at: instant(),
    /** When it was sent. */
    created_at: instant().notNull(),
  },
  (t) => [
    uniqueIndex('dav_entries_path').on(t.user_id, t.folder, t.name),
    index('dav_entries_file').on(t.file_rid).where(sql`file_rid IS NOT NULL`),
    index('dav_entries_upload').on(t.upload_id).where(sql`upload_id IS NOT NULL`),
    index('dav_entries_bare').on(t.user_id).where(sql`sha256 IS NULL`),
  ],
)
