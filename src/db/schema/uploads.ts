import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, instant, uuid } from '../columns.ts'
import { users } from './users.ts'

/** Uploads that come in parts, each of which has its bytes in a file named after its id, until it is a file. */
export const uploads = sqliteTable(
  'uploads',
  {
    id: uuid().primaryKey(),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What the file will be called. */
    name: text(),
    /** The bytes of the whole; null as long as nobody knows. */
    length: integer(),
    /** The bytes that have come, as the quota counts them: what has come since, the length of the file tells. */
    size: integer().notNull(),
    /** When it is removed unless more bytes come. */
    until: instant().notNull(),
    /** The text fields of the upload, a JSON object. */
    fields: text().notNull(),
    /** The file that it has become; null before that. */
    file_id: uuid(),
    /** Whether that file was made of it, and hadn't been there. */
    is_new: flag(),
  },
  // What has become a file stays for an hour, and each chunk of an upload asks how much the others have.
  (t) => [index('uploads_user').on(t.user_id, t.file_id)],
)
