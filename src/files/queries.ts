import { accessCondition, type Right, requireAllowed } from '../acl/access.ts'
import type { Db } from '../db/client.ts'
import { blobToUuid, uuidToBlob } from '../db/columns.ts'
import { fold } from '../db/text.ts'
import type { DerivativeState } from '../enums.ts'
import type { Derivatives } from '../media/decoder.ts'
import type { User } from '../user.ts'

/** The columns of a file that are needed to change and to serve it. */
export interface FileRecord {
  rid: number
  id: string
  original_name: string | null
  mime_type: string
  mime_extension: string
  content_datetime: number
  is_public: boolean
  is_deleted: boolean
  notes: string | null
  /** JSON text. */
  metadata: string | null
  blob: string
  size: number
  sha256: Uint8Array
  stored_at: number
  derivative_state: DerivativeState
  decoder_version: string | null
}

interface RawFile extends Omit<FileRecord, 'id' | 'is_public' | 'is_deleted'> {
  id: Uint8Array
  is_public: number
  is_deleted: number
  allowed: number
}

/** Returns a file that the user has the right to. Throws not_found, or forbidden without it. */
export function loadFile(db: Db, user: User, id: string, right: Right): FileRecord {
  const allowed = accessCondition(user, 'file', right, 'f')
  const row = requireAllowed(
    db.get<RawFile>(
      `SELECT f.rid, f.id, f.original_name, f.mime_type, f.mime_extension, f.content_datetime,
       f.is_public, f.is_deleted, d.notes, d.metadata, d.blob, d.size, d.sha256, d.stored_at,
       d.derivative_state, d.decoder_version, ${allowed.sql} AS allowed
       FROM files f JOIN file_details d ON d.file_rid = f.rid WHERE f.id = ?`,
      ...allowed.params,
      uuidToBlob(id),
    ),
    'file',
  )
  const { allowed: _, ...file } = row
  return {
    ...file,
    id: blobToUuid(row.id),
    is_public: row.is_public === 1,
    is_deleted: row.is_deleted === 1,
  }
}

/** Returns the perceptual hash of a file that the user may view. Throws not_found and forbidden. */
export function loadPhash(db: Db, user: User, id: string): { rid: number; phash: string | null } {
  const allowed = accessCondition(user, 'file', 'view', 'f')
  return requireAllowed(
    db.get<{ rid: number; phash: string | null; allowed: number }>(
      `SELECT f.rid, CAST(f.phash AS TEXT) AS phash, ${allowed.sql} AS allowed
       FROM files f WHERE f.id = ?`,
      ...allowed.params,
      uuidToBlob(id),
    ),
    'file',
  )
}

/**
 * Returns those of the files that exist, in the order given, and for each of them whether the user
 * has the right to it.
 */
export function findFiles(
  db: Db,
  user: User,
  ids: string[],
  right: Right = 'view',
): { rid: number; id: string; allowed: boolean }[] {
  const allowed = accessCondition(user, 'file', right, 'f')
  return db
    .all<{ rid: number; id: Uint8Array; allowed: number }>(
      `SELECT f.rid, f.id, ${allowed.sql} AS allowed
       FROM json_each(?) j CROSS JOIN files f ON f.id = unhex(j.value) ORDER BY j.key`,
      ...allowed.params,
      JSON.stringify(ids.map((id) => id.replaceAll('-', ''))),
    )
    .map((row) => ({ rid: row.rid, id: blobToUuid(row.id), allowed: row.allowed === 1 }))
}

/** A content and what was made from it, ready to be written to a file's rows. */
export interface Content {
  blob: string
  size: number
  sha256: Uint8Array
  mime_type: string
  mime_extension: string
  derivatives: Derivatives
}

/** Writes a new file that needs review, and returns its row number. */
export function insertFile(
  db: Db,
  file: {
    id: string
    original_name: string | null
    content_datetime: number
    notes: string | null
    metadata: string | null
    is_public: boolean
    creator_id: number
    content: Content
    now: number
  },
): number {
  const { content } = file
  const { rid } = db.get<{ rid: number }>(
    `INSERT INTO files (id, original_name, name_key, mime_type, mime_extension, content_datetime,
     phash, creator_id, is_public, is_deleted, needs_review)
     VALUES (?, ?, ?, ?, ?, ?, CAST(? AS INTEGER), ?, ?, 0, 1) RETURNING rid`,
    uuidToBlob(file.id),
    file.original_name,
    fold(file.original_name ?? ''),
    content.mime_type,
    content.mime_extension,
    file.content_datetime,
    content.derivatives.phash,
    file.creator_id,
    Number(file.is_public),
  )!
  db.run(
    `INSERT INTO file_details (file_rid, blob, size, sha256, stored_at, derivative_state,
     decoder_version, notes, metadata, exif) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    rid,
    content.blob,
    content.size,
    content.sha256,
    file.now,
    content.derivatives.state,
    content.derivatives.decoder_version,
    file.notes,
    file.metadata,
    JSON.stringify(content.derivatives.exif),
  )
  return rid
}

/** Replaces the content of a file; with a name of null the file keeps its own. */
export function replaceContent(
  db: Db,
  rid: number,
  replacement: { content: Content; original_name: string | null; now: number },
): void {
  const { content, original_name, now } = replacement
  db.run(
    'UPDATE files SET mime_type = ?, mime_extension = ?, phash = CAST(? AS INTEGER) WHERE rid = ?',
    content.mime_type,
    content.mime_extension,
    content.derivatives.phash,
    rid,
  )
  if (original_name !== null) renameFile(db, rid, original_name)
  db.run(
    `UPDATE file_details SET blob = ?, size = ?, sha256 = ?, stored_at = ?, derivative_state = ?,
     decoder_version = ?, exif = ? WHERE file_rid = ?`,
    content.blob,
    content.size,
    content.sha256,
    now,
    content.derivatives.state,
    content.derivatives.decoder_version,
    JSON.stringify(content.derivatives.exif),
    rid,
  )
  // The source that the journal names may be the last copy of the content that was replaced.
  db.run('DELETE FROM import_journal WHERE file_rid = ?', rid)
}

/** Writes the fields of a file that users may edit. */
export function updateFile(
  db: Db,
  rid: number,
  file: Pick<FileRecord, 'original_name' | 'content_datetime' | 'notes' | 'metadata' | 'is_public'>,
): void {
  renameFile(db, rid, file.original_name)
  db.run(
    'UPDATE files SET content_datetime = ?, is_public = ? WHERE rid = ?',
    file.content_datetime,
    Number(file.is_public),
    rid,
  )
  db.run(
    'UPDATE file_details SET notes = ?, metadata = ? WHERE file_rid = ?',
    file.notes,
    file.metadata,
    rid,
  )
}

function renameFile(db: Db, rid: number, original_name: string | null): void {
  db.run(
    'UPDATE files SET original_name = ?, name_key = ? WHERE rid = ?',
    original_name,
    fold(original_name ?? ''),
    rid,
  )
}

/** Moves a file to the trash, or takes it out again. */
export function setTrashed(db: Db, rid: number, is_deleted: boolean): void {
  db.run('UPDATE files SET is_deleted = ? WHERE rid = ?', Number(is_deleted), rid)
}

/** Deletes a file's rows and all rows that refer to it. */
export function deleteFile(db: Db, rid: number): void {
  db.run('DELETE FROM files WHERE rid = ?', rid)
}

/** Records that a user viewed a file. */
export function recordView(db: Db, file_rid: number, user_id: number, now: number): void {
  db.run(
    'INSERT INTO file_views (file_rid, user_id, viewed_at) VALUES (?, ?, ?)',
    file_rid,
    user_id,
    now,
  )
}
