import type { Db } from '../db/client.ts'
import { columnNames } from '../db/columns.ts'
import { fileDetails, fileLooks, filePositions, files, fileTags } from '../db/schema/files.ts'
import { users } from '../db/schema/users.ts'
import { plainBytes, quotedBytes } from '../db/sql.ts'

const f = columnNames(files, 'f')
const d = columnNames(fileDetails, 'd')
const l = columnNames(fileLooks, 'l')
const q = columnNames(filePositions, 'q')
const u = columnNames(users, 'u')
const ft = columnNames(fileTags, 'ft')

type FileColumn =
  | 'rid'
  | 'original_name'
  | 'mime_type'
  | 'mime_extension'
  | 'content_datetime'
  | 'content_offset'
  | 'date_source'
  | 'date_precision'
  | 'phash'
  | 'trashed_at'
  | 'creator_id'

interface Details extends Pick<typeof fileDetails.$inferSelect, 'notes' | 'metadata' | 'exif'> {}

type ContentColumn = 'blob' | 'size' | 'derivative_state' | 'decoder_version' | 'rotation'

/** A file as its row in the database; long details are read later. */
export interface FileRow
  extends Pick<typeof files.$inferSelect, FileColumn>,
    Pick<typeof fileDetails.$inferSelect, ContentColumn>,
    Pick<typeof fileLooks.$inferSelect, 'width' | 'height' | 'duration' | 'thumbhash'>,
    Pick<typeof filePositions.$inferSelect, 'town'>,
    Details {
  id: Uint8Array
  creator_name: string
  is_public: number
  is_deleted: number
  is_damaged: number
  needs_review: number
  /** An upper bound on the bytes of its details as JSON. */
  bytes: number
  /** The row numbers of its tags, negative for those by rule, as JSON text. */
  tags: string
}

/** Details of more bytes are read only once it is certain that the file is on the page. */
export const LONG_DETAILS = 16 * 1024

const DETAILS_BYTES = `${quotedBytes(d.notes)} + ${plainBytes(d.metadata)} + ${plainBytes(d.exif)}`

// phash is read as text, since both drivers round integers beyond 2^53.
const rowsWhere = (condition: string, details: string) =>
  `SELECT ${f.rid}, ${f.id}, ${f.original_name}, ${f.mime_type}, ${f.mime_extension},
  ${f.content_offset}, ${f.date_source}, ${f.date_precision}, ${d.blob}, ${d.size}, ${d.derivative_state}, ${d.decoder_version}, ${d.is_damaged}, ${d.rotation},
  ${l.width}, ${l.height}, ${l.duration}, ${l.thumbhash}, ${q.town},
  ${f.content_datetime}, CAST(${f.phash} AS TEXT) AS phash, ${f.creator_id}, ${u.name} AS creator_name,
  ${f.is_public}, ${f.is_deleted}, ${f.trashed_at}, ${f.needs_review}, ${details}, ${DETAILS_BYTES} AS bytes,
  (SELECT json_group_array(iif(${ft.by_hand}, ${ft.tag_rid}, -${ft.tag_rid})) FROM file_tags ft
   WHERE ${ft.file_rid} = ${f.rid}) AS tags
  FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
  CROSS JOIN file_details d ON ${d.file_rid} = ${f.rid}
  LEFT JOIN file_looks l ON ${l.file_rid} = ${f.rid}
  LEFT JOIN file_positions q ON ${q.file_rid} = ${f.rid}
  CROSS JOIN users u ON ${u.id} = ${f.creator_id} WHERE ${condition}`

const DETAILS = `${d.notes}, ${d.metadata}, ${d.exif}`
const SHORT_ROWS = rowsWhere(`${DETAILS_BYTES} <= ${LONG_DETAILS}`, DETAILS)
const LONG_ROWS = rowsWhere(`${DETAILS_BYTES} > ${LONG_DETAILS}`, 'NULL AS exif')
const LONG_TEXTS = `SELECT ${DETAILS} FROM file_details d WHERE ${d.file_rid} = ?`

/** Returns the rows of the files by their numbers; long ones have no details yet. */
export function readRows(db: Db, rids: number[]): Map<number, FileRow> {
  const found = new Map<number, FileRow>()
  for (const row of db.all<FileRow>(SHORT_ROWS, JSON.stringify(rids))) found.set(row.rid, row)
  if (found.size === rids.length) return found
  const rest = JSON.stringify(rids.filter((rid) => !found.has(rid)))
  for (const row of db.all<FileRow>(LONG_ROWS, rest)) found.set(row.rid, row)
  return found
}

/** Returns a row with its long details. */
export function withLongDetails(db: Db, row: FileRow): FileRow {
  return { ...row, ...db.get<Details>(LONG_TEXTS, row.rid) }
}
