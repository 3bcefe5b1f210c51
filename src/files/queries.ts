import { eq, getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { preparedWithAccess, type Right, requireAllowed } from '../acl/access.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { companions, fileDetails, files, fileTags } from '../db/schema/files.ts'
import { importJournal } from '../db/schema/imports.ts'
import { fold } from '../db/text.ts'
import type { Tx } from '../db/write.ts'
import type { Derivatives, InTime } from '../media/decoder/decoder.ts'
import { dateOf, type FileDateColumns } from './dates/file-date.ts'
import { recordFinerHash, recordLooks } from './looks/queries.ts'
import { payHashes } from './looks/turn-queries.ts'
import { recordNotes } from './notes-queries.ts'
import { recordCapture } from './places/capture-queries.ts'

const picture = alias(files, 'picture')

const FILE = {
  rid: files.rid,
  id: files.id,
  original_name: files.original_name,
  mime_type: files.mime_type,
  mime_extension: files.mime_extension,
  content_datetime: files.content_datetime,
  content_offset: files.content_offset,
  date_source: files.date_source,
  date_precision: files.date_precision,
  is_public: files.is_public,
  is_deleted: files.is_deleted,
  creator_id: files.creator_id,
  notes: fileDetails.notes,
  metadata: fileDetails.metadata,
  blob: fileDetails.blob,
  size: fileDetails.size,
  sha256: fileDetails.sha256,
  stored_at: fileDetails.stored_at,
  derivative_state: fileDetails.derivative_state,
  decoder_version: fileDetails.decoder_version,
  rotation: fileDetails.rotation,
  companion_of: picture.id,
}

/**
 * What is needed of a file to change and to serve it; its metadata is JSON text, and `companion_of` the id of its
 * picture even if the user may not view that.
 */
export type FileRecord = Pick<
  typeof files.$inferSelect & typeof fileDetails.$inferSelect,
  Exclude<keyof typeof FILE, 'companion_of'>
> & { companion_of: string | null }

const fileFor = preparedWithAccess('file', { id: files.id }, (db, given, allowed) =>
  reading({ ...FILE, allowed }, (fields) =>
    db
      .select(fields)
      .from(files)
      .innerJoin(fileDetails, eq(fileDetails.file_rid, files.rid))
      .leftJoin(companions, eq(companions.film_rid, files.rid))
      .leftJoin(picture, eq(picture.rid, companions.picture_rid))
      .where(eq(files.id, given.id)),
  ),
)

/** Returns a file that the user has the right to. Throws not_found, or forbidden without it. */
export function loadFile(db: Db, user: User, id: string, right: Right): FileRecord {
  return requireAllowed(fileFor(user, right).get(db, { id, user: user.id }), 'file')
}

const phashFor = preparedWithAccess('file', { id: files.id }, (db, given, allowed) =>
  reading(
    {
      rid: files.rid,
      phash: sql<string | null>`CAST(${files.phash} AS TEXT)`.as('phash'),
      allowed,
    },
    (fields) => db.select(fields).from(files).where(eq(files.id, given.id)),
  ),
)

/** Returns the perceptual hash of a file that the user may view. Throws not_found and forbidden. */
export function loadPhash(db: Db, user: User, id: string): { rid: number; phash: string | null } {
  return requireAllowed(phashFor(user, 'view').get(db, { id, user: user.id }), 'file')
}

const filesFor = preparedWithAccess('file', { list: 'text' }, (db, given, allowed) =>
  reading({ rid: files.rid, id: files.id, allowed }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.list}) AS j`)
      .crossJoin(files)
      .where(eq(files.id, sql`unhex(j.value)`))
      .orderBy(sql`j.key`),
  ),
)

/** Returns those of the files that exist, in the given order, each with whether the user has the right to it. */
export function findFiles(
  db: Db,
  user: User,
  ids: string[],
  right: Right = 'view',
): { rid: number; id: string; allowed: boolean }[] {
  const list = JSON.stringify(ids.map((id) => id.replaceAll('-', '')))
  return filesFor(user, right).all(db, { list, user: user.id })
}

const byRid = prepared({ rids: 'text' }, (db, given) =>
  reading({ rid: files.rid, id: files.id }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.rids}) AS j`)
      .crossJoin(files)
      .where(eq(files.rid, sql`j.value`))
      .orderBy(sql`j.key`),
  ),
)

/** Returns those of the files that exist, by their row numbers and in the order of these. */
export function filesByRid(db: Db, rids: number[]): { rid: number; id: string }[] {
  return byRid.all(db, { rids: JSON.stringify(rids) })
}

const tagsOfFile = prepared({ file_rid: fileTags.file_rid }, (db, given) =>
  reading({ tag_rid: fileTags.tag_rid, by_hand: fileTags.by_hand }, (fields) =>
    db.select(fields).from(fileTags).where(eq(fileTags.file_rid, given.file_rid)),
  ),
)

/** Returns the tags of a file by their row numbers, hidden ones included. */
export function listFileTags(db: Db, file_rid: number): { tag_rid: number; by_hand: boolean }[] {
  return tagsOfFile.all(db, { file_rid })
}

/** A content and what was made from it, ready to be written to a file's rows. */
export interface Content {
  blob: string
  size: number
  sha256: Uint8Array
  mime_type: string
  mime_extension: string
  derivatives: Derivatives
  /** What is still being made from it. */
  later: InTime['later']
}

const insertedFile = prepared(
  {
    id: files.id,
    original_name: files.original_name,
    name_key: files.name_key,
    mime_type: files.mime_type,
    mime_extension: files.mime_extension,
    content_datetime: files.content_datetime,
    content_offset: files.content_offset,
    date_source: files.date_source,
    date_precision: files.date_precision,
    phash: files.phash,
    creator_id: files.creator_id,
    is_public: files.is_public,
    needs_review: files.needs_review,
  },
  (db, given) =>
    reading({ rid: files.rid }, (fields) =>
      db
        .insert(files)
        .values({ ...given, phash: sql`CAST(${given.phash} AS INTEGER)`, is_deleted: false })
        .returning(fields),
    ),
)

const insertedDetails = prepared(getTableColumns(fileDetails), (db, given) =>
  db.insert(fileDetails).values(given),
)

/** Writes a new file, and returns its row number. */
export function insertFile(
  tx: Tx,
  file: {
    id: string
    original_name: string | null
    date: FileDateColumns
    notes: string | null
    metadata: string | null
    is_public: boolean
    needs_review: boolean
    creator_id: number
    content: Content
  },
): number {
  const { content } = file
  const { rid } = insertedFile.get(tx, {
    id: file.id,
    original_name: file.original_name,
    name_key: fold(file.original_name ?? ''),
    mime_type: content.mime_type,
    mime_extension: content.mime_extension,
    ...file.date,
    phash: content.derivatives.phash,
    creator_id: file.creator_id,
    is_public: file.is_public,
    needs_review: file.needs_review,
  })!
  insertedDetails.run(tx, {
    file_rid: rid,
    ...contentColumns(content, tx.now),
    notes: file.notes,
    metadata: file.metadata,
  })
  if (file.notes !== null) recordNotes(tx, [rid], file.notes)
  recordLooks(tx, rid, content.derivatives)
  recordFinerHash(tx, rid, content.derivatives.finer)
  recordCapture(tx, rid, content.derivatives.exif)
  return rid
}

// A new content is upright by itself.
function contentColumns(content: Content, now: number) {
  const { blob, size, sha256, derivatives } = content
  return {
    blob,
    size,
    sha256,
    stored_at: now,
    derivative_state: derivatives.state,
    is_damaged: derivatives.is_damaged,
    decoder_version: derivatives.decoder_version,
    rotation: 0 as const,
    exif: JSON.stringify(derivatives.exif),
  }
}

/** Replaces the content of a file; if the name is null, the file keeps its own. */
export function replaceContent(
  tx: Tx,
  rid: number,
  replacement: { content: Content; original_name: string | null },
): void {
  const { content, original_name } = replacement
  tx.execute(
    tx
      .update(files)
      .set({
        mime_type: content.mime_type,
        mime_extension: content.mime_extension,
        phash: sql`CAST(${content.derivatives.phash} AS INTEGER)`,
      })
      .where(eq(files.rid, rid)),
  )
  if (original_name !== null) renameFile(tx, rid, original_name)
  tx.execute(
    tx
      .update(fileDetails)
      .set(contentColumns(content, tx.now))
      .where(eq(fileDetails.file_rid, rid)),
  )
  recordLooks(tx, rid, content.derivatives)
  recordFinerHash(tx, rid, content.derivatives.finer)
  recordCapture(tx, rid, content.derivatives.exif)
  payHashes(tx, rid)
  // The source that the journal names may be the last copy of the content that was replaced.
  tx.execute(tx.delete(importJournal).where(eq(importJournal.file_rid, rid)))
}

const edited = prepared(
  {
    rid: files.rid,
    content_datetime: files.content_datetime,
    content_offset: files.content_offset,
    date_source: files.date_source,
    date_precision: files.date_precision,
    is_public: files.is_public,
  },
  (db, { rid, ...given }) => db.update(files).set(given).where(eq(files.rid, rid)),
)

const editedDetails = prepared(
  {
    file_rid: fileDetails.file_rid,
    notes: fileDetails.notes,
    metadata: fileDetails.metadata,
  },
  (db, { file_rid, ...given }) =>
    db.update(fileDetails).set(given).where(eq(fileDetails.file_rid, file_rid)),
)

/** The fields of a file that users may edit. */
export interface Editable
  extends FileDateColumns,
    Pick<
      FileRecord,
      'original_name' | 'rotation' | 'notes' | 'metadata' | 'is_public' | 'companion_of'
    > {}

/** Writes the fields of a file that users may edit, except for its rotation and its picture. */
export function updateFile(
  tx: Tx,
  rid: number,
  file: Omit<Editable, 'rotation' | 'companion_of'>,
): void {
  const { notes, metadata, is_public } = file
  renameFile(tx, rid, file.original_name)
  edited.run(tx, { rid, ...dateOf(file), is_public })
  editedDetails.run(tx, { file_rid: rid, notes, metadata })
  recordNotes(tx, [rid], notes)
}

const renamed = prepared(
  { rid: files.rid, original_name: files.original_name, name_key: files.name_key },
  (db, { rid, ...given }) => db.update(files).set(given).where(eq(files.rid, rid)),
)

function renameFile(tx: Tx, rid: number, original_name: string | null): void {
  renamed.run(tx, { rid, original_name, name_key: fold(original_name ?? '') })
}

const { rid, is_deleted, trashed_at } = files
const moved = prepared({ rid, is_deleted, trashed_at }, (db, { rid: moving, ...given }) =>
  db.update(files).set(given).where(eq(rid, moving)),
)

/** Moves a file to the trash, or out of it. */
export function setTrashed(tx: Tx, rid: number, is_deleted: boolean): void {
  moved.run(tx, { rid, is_deleted, trashed_at: is_deleted ? tx.now : null })
}
