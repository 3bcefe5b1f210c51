import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, uuid } from '../columns.ts'
import { users } from './users.ts'

export const categories = sqliteTable(
  'categories',
  {
    rid: integer().primaryKey({ autoIncrement: true }),
    id: uuid().notNull().unique(),
    name: text().notNull().unique(),
    name_key: text().notNull(),
    notes: text(),
    color: text(),
    metadata: text(),
    creator_id: integer()
      .notNull()
      .references(() => users.id),
    is_public: flag().notNull(),
  },
  (t) => [index('categories_creator').on(t.creator_id)],
)
