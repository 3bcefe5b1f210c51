import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
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

export const tags = sqliteTable(
  'tags',
  {
    rid: integer().primaryKey({ autoIncrement: true }),
    id: uuid().notNull().unique(),
    name: text().notNull().unique(),
    name_key: text().notNull(),
    notes: text(),
    color: text(),
    metadata: text(),
    category_rid: integer().references(() => categories.rid, { onDelete: 'set null' }),
    creator_id: integer()
      .notNull()
      .references(() => users.id),
    is_public: flag().notNull(),
    /** How many files carry the tag, trashed ones included. Maintained by triggers. */
    file_count: integer().notNull().default(0),
    /** Changes whenever the set of files that carry the tag does. Maintained by triggers. */
    /** Nobody can see the tag any more, and it is being removed from its files. */
    is_deleted: flag().notNull().default(false),
  },
  (t) => [
    index('tags_category').on(t.category_rid),
    index('tags_creator').on(t.creator_id),
    index('tags_deleted').on(t.rid).where(sql`is_deleted = 1`),
    index('tags_xmp_path')
      .on(sql`metadata ->> '$.xmp_path'`)
      .where(sql`metadata ->> '$.xmp_path' IS NOT NULL`),
  ],
)

export const tagRules = sqliteTable(
  'tag_rules',
  {
    when_tag_rid: integer()
      .notNull()
      .references(() => tags.rid, { onDelete: 'cascade' }),
    then_tag_rid: integer()
      .notNull()
      .references(() => tags.rid, { onDelete: 'cascade' }),
    is_active: flag().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.when_tag_rid, t.then_tag_rid] }),
    index('tag_rules_then').on(t.then_tag_rid),
    check('tag_rules_not_self', sql`when_tag_rid <> then_tag_rid`),
  ],
)
