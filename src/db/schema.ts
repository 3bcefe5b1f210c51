import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { bytes, flag, instant, uuid } from './columns.ts'

// What Drizzle can't say stands in the migrations only: STRICT, WITHOUT ROWID, the FTS5 index
// `files_fts`, and the triggers that keep counters, versions and ACL entries in step.

export const users = sqliteTable('users', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull().unique(),
  password_hash: text().notNull(),
  is_admin: flag().notNull(),
  can_create: flag().notNull(),
  is_blocked: flag().notNull(),
})

export const sessions = sqliteTable(
  'sessions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    user_agent: text().notNull(),
    /** Secret that only this session's refresh tokens are signed with. */
    nonce: bytes().notNull(),
    /** Number of the live refresh token; each rotation adds one. */
    generation: integer().notNull(),
    rotated_at: instant().notNull(),
    started_at: instant().notNull(),
    expires_at: instant().notNull(),
    last_activity: instant().notNull(),
  },
  (t) => [index('sessions_user').on(t.user_id), index('sessions_expiry').on(t.expires_at)],
)

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
    /** How many files carry the tag, trashed ones too. Kept by triggers. */
    file_count: integer().notNull().default(0),
    /** Changes whenever the set of files that carry the tag does. Kept by triggers. */
    files_version: integer().notNull().default(0),
  },
  (t) => [index('tags_category').on(t.category_rid), index('tags_creator').on(t.creator_id)],
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

/** What a walk through the files needs, and no more: a page of a list touches few pages of disk. */
export const files = sqliteTable(
  'files',
  {
    rid: integer().primaryKey({ autoIncrement: true }),
    id: uuid().notNull().unique(),
    original_name: text(),
    /** `original_name` folded for sorting and search; empty where there is none. */
    name_key: text().notNull(),
    mime_type: text().notNull(),
    mime_extension: text().notNull(),
    content_datetime: instant().notNull(),
    /** Signed 64 bits: read it as text, both drivers round it otherwise. */
    phash: integer(),
    creator_id: integer()
      .notNull()
      .references(() => users.id),
    is_public: flag().notNull(),
    is_deleted: flag().notNull(),
    needs_review: flag().notNull(),
    /** Kept by triggers. */
    tag_count: integer().notNull().default(0),
  },
  (t) => [
    index('files_created').on(t.is_deleted, t.id, t.creator_id, t.is_public),
    index('files_content_datetime').on(
      t.is_deleted,
      t.content_datetime,
      t.id,
      t.creator_id,
      t.is_public,
    ),
    index('files_original_name').on(t.is_deleted, t.name_key, t.id, t.creator_id, t.is_public),
    index('files_mime').on(t.is_deleted, t.mime_type, t.id, t.creator_id, t.is_public),
    index('files_creator').on(t.creator_id),
    index('files_needs_review').on(t.needs_review),
    index('files_mime_type').on(t.mime_type),
    index('files_phash').on(t.phash).where(sql`phash IS NOT NULL`),
    index('files_untagged').on(t.rid).where(sql`tag_count = 0`),
    check(
      'files_content_datetime_known',
      sql`content_datetime BETWEEN -62135596800000 AND 253402300799999`,
    ),
  ],
)

/** The wide half of a file: read for the fifty rows of a page, never while walking. */
export const fileDetails = sqliteTable(
  'file_details',
  {
    file_rid: integer()
      .primaryKey()
      .references(() => files.rid, { onDelete: 'cascade' }),
    /** Name of the stored content, one for each version of it. */
    blob: text().notNull(),
    size: integer().notNull(),
    sha256: bytes().notNull(),
    stored_at: instant().notNull(),
    /** Whether the perceptual hash and the thumbnail could be made, and by which decoder. */
    derivative_state: text({ enum: ['pending', 'made', 'failed'] }).notNull(),
    decoder_version: text(),
    notes: text(),
    metadata: text(),
    exif: text().notNull(),
  },
  (t) => [
    uniqueIndex('file_details_blob').on(t.blob),
    index('file_details_state').on(t.derivative_state),
    check('file_details_state_known', sql`derivative_state IN ('pending', 'made', 'failed')`),
  ],
)

export const fileTags = sqliteTable(
  'file_tags',
  {
    file_rid: integer()
      .notNull()
      .references(() => files.rid, { onDelete: 'cascade' }),
    tag_rid: integer()
      .notNull()
      .references(() => tags.rid, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.file_rid, t.tag_rid] }),
    index('file_tags_tag').on(t.tag_rid, t.file_rid),
  ],
)

export const fileViews = sqliteTable(
  'file_views',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    file_rid: integer()
      .notNull()
      .references(() => files.rid, { onDelete: 'cascade' }),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    viewed_at: instant().notNull(),
  },
  (t) => [index('file_views_file').on(t.file_rid), index('file_views_user').on(t.user_id)],
)

export const pools = sqliteTable(
  'pools',
  {
    rid: integer().primaryKey({ autoIncrement: true }),
    id: uuid().notNull().unique(),
    name: text().notNull(),
    name_key: text().notNull(),
    notes: text(),
    metadata: text(),
    creator_id: integer()
      .notNull()
      .references(() => users.id),
    is_public: flag().notNull(),
    sort_key: text({ enum: ['manual', 'content_datetime', 'created', 'original_name'] }).notNull(),
    sort_order: text({ enum: ['asc', 'desc'] }).notNull(),
  },
  (t) => [
    index('pools_name').on(t.name_key, t.id),
    index('pools_creator').on(t.creator_id),
    check(
      'pools_sort_key_known',
      sql`sort_key IN ('manual', 'content_datetime', 'created', 'original_name')`,
    ),
    check('pools_sort_order_known', sql`sort_order IN ('asc', 'desc')`),
  ],
)

export const poolFiles = sqliteTable(
  'pool_files',
  {
    pool_rid: integer()
      .notNull()
      .references(() => pools.rid, { onDelete: 'cascade' }),
    file_rid: integer()
      .notNull()
      .references(() => files.rid, { onDelete: 'cascade' }),
    position: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.pool_rid, t.file_rid] }),
    unique('pool_files_position').on(t.pool_rid, t.position),
    index('pool_files_file').on(t.file_rid),
  ],
)

export const poolViews = sqliteTable(
  'pool_views',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    pool_rid: integer()
      .notNull()
      .references(() => pools.rid, { onDelete: 'cascade' }),
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    viewed_at: instant().notNull(),
  },
  (t) => [index('pool_views_pool').on(t.pool_rid), index('pool_views_user').on(t.user_id)],
)

/** Who may see or edit one object beyond its creator, admins and the public. */
export const acl = sqliteTable(
  'acl',
  {
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    object_type: text({ enum: ['file', 'tag', 'category', 'pool'] }).notNull(),
    object_rid: integer().notNull(),
    can_view: flag().notNull(),
    can_edit: flag().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.user_id, t.object_type, t.object_rid] }),
    index('acl_object').on(t.object_type, t.object_rid),
    check('acl_object_type_known', sql`object_type IN ('file', 'tag', 'category', 'pool')`),
    check('acl_edit_implies_view', sql`can_view = 1 OR can_edit = 0`),
  ],
)
