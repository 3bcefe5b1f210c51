import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Db, openDatabase } from '../../../src/db/client.ts'
import { blobToUuid } from '../../../src/db/columns.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { migrationsBefore } from '../older-migrations.ts'

/** A file as version 3.0.0 left it; times are in milliseconds. */
export interface FileOf3 {
  bytes: Buffer
  name: string
  created_at: number
  /** By default when it was created. */
  content_datetime?: number
  /** When its content was stored; by default when it was created. */
  stored_at?: number
  mime_type?: 'image/jpeg' | 'video/mp4'
  exif?: object
  is_deleted?: boolean
}

/** Adds a file to the library in a folder, which has a user 1, and returns its id. */
export function addFileOf3(db: Db, folder: string, file: FileOf3): string {
  const { bytes, name, created_at, mime_type = 'image/jpeg' } = file
  const { content_datetime = created_at, stored_at = created_at, exif = {} } = file
  const blob = randomBytes(16).toString('hex')
  const { content, derivative } = dataFolder(folder)
  for (const path of [content(blob), derivative('thumbnail', blob)]) {
    mkdirSync(dirname(path), { recursive: true })
  }
  writeFileSync(content(blob), bytes)
  const id = idOf3(created_at)
  const { rid } = db.get<{ rid: number }>(
    `INSERT INTO files (id, original_name, name_key, mime_type, mime_extension, content_datetime,
     creator_id, is_public, is_deleted, needs_review) VALUES (?, ?, ?, ?, ?, ?, 1, 0, ?, 1)
     RETURNING rid`,
    id,
    name,
    name.toLowerCase(),
    mime_type,
    mime_type.slice(6),
    content_datetime,
    file.is_deleted ? 1 : 0,
  )!
  db.run(
    `INSERT INTO file_details (file_rid, blob, size, sha256, stored_at, derivative_state,
     decoder_version, exif) VALUES (?, ?, ?, zeroblob(32), ?, 'made', '1', ?)`,
    rid,
    blob,
    bytes.length,
    stored_at,
    JSON.stringify(exif),
  )
  return blobToUuid(id)
}

let made = 0

function idOf3(created_at: number): Buffer {
  const id = Buffer.alloc(16)
  id.writeUIntBE(created_at, 0, 6)
  id[6] = 0x70
  id[8] = 0x80
  id.writeUInt32BE(made++, 12)
  return id
}

/** Opens a new database of version 3.0.0, or of a later one, from before a migration. */
export function openLibraryOf3(folder: string, next = 'looks'): Db {
  const migrations = migrationsBefore(next, mkdtempSync(join(tmpdir(), 'tagstead-migrations-')))
  return openDatabase(dataFolder(folder).database, { migrations })
}
