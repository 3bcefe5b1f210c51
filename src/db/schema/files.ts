import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import {
  DATE_PRECISIONS,
  DATE_SOURCES,
  DERIVATIVE_STATES,
  type Rotation,
} from '../../base/enums.ts'
import { FIRST_TIME, LAST_TIME } from '../../base/time.ts'
import { bytes, flag, instant, int64, uuid } from '../columns.ts'
import { tags } from './tags.ts'
import { users } from './users.ts'

// For this and the other files of the schema, what Drizzle can't express is only in the migrations: STRICT, WITHOUT
// ROWID, the FTS5 index `files_fts`, and the triggers that keep counters, versions and ACL entries in step.

// Where SQLite's calendar ends, in seconds since 1970.
const YEAR_10000 = 253_402_300_800

type DateColumn = 'content_datetime' | 'content_offset' | 'date_precision'

/**
 * Returns SQL for the time at which a file stands in the timeline, from the names of its columns: `content_datetime`, but
 * the last millisecond, by its clock, of a month or a year known alone. The index on it has the same text.
 */
export function timelineTime(f: Record<DateColumn, string>): string {
  const offset = `ifnull(${f.content_offset}, 0)`
  const precision = f.date_precision
  return (
    `CASE WHEN ${precision} IN ('month', 'year') THEN ifnull(unixepoch(${f.content_datetime} / 1000 + ${offset} * 60, ` +
    `'unixepoch', 'start of ' || ${precision}, '+1 ' || ${precision}), ${YEAR_10000}) * 1000 - ${offset} * 60000 - 1 ` +
    `ELSE ${f.content_datetime} END`
  )
}

/** Only what a walk needs, so that a page of a list touches few pages of the disk. */
export const files = sqliteTable(
  'files',
  {
    rid: integer().primaryKey({ autoIncrement: true }),
    id: uuid().notNull().unique(),
    original_name: text(),
    /** `original_name` folded for sorting and search; empty when there is none. */
    name_key: text().notNull(),
    mime_type: text().notNull(),
    mime_extension: text().notNull(),
    content_datetime: instant().notNull(),
    /** Signed 64-bit integer: read it as text, since both drivers would round a number. */
    phash: int64(),
    creator_id: integer()
      .notNull()
      .references(() => users.id),
    is_public: flag().notNull(),
    is_deleted: flag().notNull(),
    needs_review: flag().notNull(),
    /** Maintained by triggers. */
    tag_count: integer().notNull().default(0),
    /** Source of `content_datetime`; null for files from before sources were stored. */
    date_source: text({ enum: DATE_SOURCES }),
    /**
     * Minutes from UTC of the clock that `content_datetime` was read from: the local time is their sum. Null when the
     * zone is unknown; the local time is then `content_datetime` as it is.
     */
    content_offset: integer(),
    /** When the file went to the trash; null when it is not there. */
    trashed_at: instant(),
    /** How much is known of the date; null for a moment. `content_datetime` is the middle of what is known. */
    date_precision: text({ enum: DATE_PRECISIONS }),
  },
  (t) => [
    index('files_trashed').on(t.trashed_at).where(sql`trashed_at IS NOT NULL`),
    index('files_created').on(t.is_deleted, t.rid, t.id, t.creator_id, t.is_public),
    index('files_content_datetime').on(
      t.is_deleted,
      t.content_datetime,
      t.id,
      t.creator_id,
      t.is_public,
      t.content_offset,
    ),
    // Its second column is `timelineTime`, an expression that only the migration has.
    index('files_timeline').on(
      t.is_deleted,
      t.id,
      t.creator_id,
      t.is_public,
      t.content_offset,
      t.date_precision,
    ),
    index('files_original_name').on(t.is_deleted, t.name_key, t.id, t.creator_id, t.is_public),
    index('files_mime').on(t.is_deleted, t.mime_type, t.id, t.creator_id, t.is_public),
    index('files_creator').on(t.creator_id),
    index('files_needs_review').on(t.needs_review),
    index('files_public').on(t.rid).where(sql`is_public = 1`),
    index('files_mime_type').on(t.mime_type),
    index('files_phash').on(t.phash).where(sql`phash IS NOT NULL`),
    index('files_date_source').on(t.date_source),
    index('files_few_tags').on(t.tag_count).where(sql`tag_count <= 3`),
    check(
      'files_content_datetime_known',
      sql.raw(`content_datetime BETWEEN ${FIRST_TIME} AND ${LAST_TIME}`),
    ),
    check(
      'files_date_source_known',
      sql`date_source IN ('given', 'exif', 'xmp', 'gps', 'video', 'name', 'mtime', 'upload')`,
    ),
    check('files_content_offset_known', sql`content_offset BETWEEN -1439 AND 1439`),
    check('files_date_precision_known', sql`date_precision IN ('day', 'month', 'year')`),
  ],
)

/** The wide half of a file: read for the fifty rows of a page, but never during a walk. */
export const fileDetails = sqliteTable(
  'file_details',
  {
    file_rid: integer()
      .primaryKey()
      .references(() => files.rid, { onDelete: 'cascade' }),
    /** Name under which the content is stored; a content that replaces it gets another name. */
    blob: text().notNull(),
    size: integer().notNull(),
    sha256: bytes().notNull(),
    stored_at: instant().notNull(),
    /** Whether the perceptual hash and the thumbnail could be made, and by which decoder. */
    derivative_state: text({ enum: DERIVATIVE_STATES }).notNull(),
    decoder_version: text(),
    notes: text(),
    metadata: text(),
    exif: text().notNull(),
    /** Whether the decoder found the picture damaged; false where none has looked for that. */
    is_damaged: flag().notNull().default(false),
    /** Degrees by which people have turned the content clockwise; what replaces the content starts at 0. */
    rotation: integer().$type<Rotation>().notNull().default(0),
  },
  (t) => [
    uniqueIndex('file_details_blob').on(t.blob),
    index('file_details_state').on(t.derivative_state),
    index('file_details_sha256').on(t.sha256),
    index('file_details_size').on(t.size),
    index('file_details_damaged').on(t.file_rid).where(sql`is_damaged = 1`),
    index('file_details_content_identifier')
      .on(sql`exif ->> '$.ContentIdentifier'`)
      .where(sql`exif ->> '$.ContentIdentifier' IS NOT NULL`),
    index('file_details_told')
      .on(t.file_rid)
      .where(sql`notes IS NOT NULL OR metadata IS NOT NULL OR rotation <> 0`),
    check('file_details_state_known', sql`derivative_state IN ('pending', 'made', 'failed')`),
    check('file_details_rotation_known', sql`rotation IN (0, 90, 180, 270)`),
  ],
)

/**
 * How a file looks before its picture is loaded. An older file has no row until the background work reaches it, and
 * one that the system refused to decode has none until it is decoded.
 */
export const fileLooks = sqliteTable(
  'file_looks',
  {
    file_rid: integer()
      .primaryKey()
      .references(() => files.rid, { onDelete: 'cascade' }),
    /** Pixels as displayed, turned and with square pixels; both null when unknown. */
    width: integer(),
    height: integer(),
    /** Seconds; null for a picture, and for a film without a duration. */
    duration: real(),
    /** Null when the content can't be decoded. */
    thumbhash: bytes(),
    /** The version of the decoder that examined the content. */
    decoder: text().notNull(),
    /** Whether it is a picture of several frames; null when that is unknown. */
    is_animated: flag(),
  },
  (t) => [
    index('file_looks_pixels').on(sql`width * height`),
    index('file_looks_shape').on(sql`sign(width - height)`),
    index('file_looks_duration').on(t.duration).where(sql`duration IS NOT NULL`),
    index('file_looks_animated').on(t.file_rid).where(sql`is_animated = 1`),
  ],
)

/** The notes of files that have any, folded for search. An older file has no row until the background work reaches it. */
export const fileNotes = sqliteTable('file_notes', {
  file_rid: integer()
    .primaryKey()
    .references(() => files.rid, { onDelete: 'cascade' }),
  folded: text().notNull(),
})

/**
 * The finer hash of what a file shows. An older file has no row until the background work reaches it, and one
 * without a `phash` has none; a trigger deletes the row when the content is replaced.
 */
export const finerHashes = sqliteTable(
  'finer_hashes',
  {
    file_rid: integer()
      .primaryKey()
      .references(() => files.rid, { onDelete: 'cascade' }),
    hash: bytes().notNull(),
    /** Whether the picture is too plain for its hash to tell it from another one. */
    is_plain: flag().notNull(),
    /** The digest of the content and, if it is turned, of its rotation; with an equal one, files show the same. */
    sha256: bytes().notNull(),
  },
  () => [
    check('finer_hashes_hash_whole', sql`length(hash) = 32`),
    check('finer_hashes_sha256_whole', sql`length(sha256) = 32`),
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
    /** False for a tag that only follows from a rule; true once a request has named it. */
    by_hand: flag().notNull().default(true),
  },
  (t) => [
    primaryKey({ columns: [t.file_rid, t.tag_rid] }),
    index('file_tags_tag').on(t.tag_rid, t.file_rid),
  ],
)

/** The files that a person likes, which nobody else learns. A row stays when the person may no longer view the file. */
export const favourites = sqliteTable(
  'favourites',
  {
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    file_rid: integer()
      .notNull()
      .references(() => files.rid, { onDelete: 'cascade' }),
    added_at: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.user_id, t.file_rid] }),
    index('favourites_file').on(t.file_rid),
  ],
)

/** Living pictures: a film that was taken with a picture and belongs to it. Each file is in one pair at most. */
export const companions = sqliteTable('companions', {
  film_rid: integer()
    .primaryKey()
    .references(() => files.rid, { onDelete: 'cascade' }),
  picture_rid: integer()
    .notNull()
    .unique()
    .references(() => files.rid, { onDelete: 'cascade' }),
})

/** Where a file was taken, as its content says. An older file has no row until the background work reaches it. */
export const filePositions = sqliteTable(
  'file_positions',
  {
    file_rid: integer()
      .primaryKey()
      .references(() => files.rid, { onDelete: 'cascade' }),
    /** Eight characters: a cell of 38 m by 19 m at most. */
    geohash: text().notNull(),
    /** The nearest town within 50 km, with its country and region: `FR.93.Nice`. */
    town: text(),
  },
  (t) => [
    index('file_positions_geohash').on(t.geohash),
    index('file_positions_town').on(t.town),
    check('file_positions_geohash_whole', sql`length(geohash) = 8`),
  ],
)

/** Cameras by make and model; one stays when its last file goes. */
export const cameras = sqliteTable('cameras', {
  rid: integer().primaryKey(),
  name: text().notNull().unique(),
})

/** The camera that took a file, as its content says. */
export const fileCameras = sqliteTable(
  'file_cameras',
  {
    file_rid: integer()
      .primaryKey()
      .references(() => files.rid, { onDelete: 'cascade' }),
    camera_rid: integer()
      .notNull()
      .references(() => cameras.rid),
  },
  (t) => [index('file_cameras_camera').on(t.camera_rid)],
)
