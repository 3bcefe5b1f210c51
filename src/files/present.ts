import type { Db } from '../db/client.ts'
import { columnNames } from '../db/column-names.ts'
import { blobToUuid } from '../db/columns.ts'
import { idTime } from '../db/ids.ts'
import { fileDetails, files, fileTags } from '../db/schema/files.ts'
import { users } from '../db/schema/users.ts'
import { AppError } from '../errors.ts'
import { type JsonText, jsonArray } from '../http/json.ts'
import { type KnownTag, type TagView, viewTags } from '../tags/cache.ts'
import type { Tag } from '../tags/schema.ts'
import { isoTime } from '../time.ts'
import type { User } from '../user.ts'
import type { File } from './schema.ts'

const f = columnNames(files, 'f')
const d = columnNames(fileDetails, 'd')
const u = columnNames(users, 'u')
const ft = columnNames(fileTags, 'ft')

type FileColumn =
  | 'rid'
  | 'original_name'
  | 'mime_type'
  | 'mime_extension'
  | 'content_datetime'
  | 'phash'
  | 'creator_id'

interface FileRow
  extends Pick<typeof files.$inferSelect, FileColumn>,
    Pick<typeof fileDetails.$inferSelect, 'notes' | 'metadata' | 'exif'> {
  id: Uint8Array
  creator_name: string
  is_public: number
  is_deleted: number
  needs_review: number
}

// phash is read as text, since both drivers round integers beyond 2^53.
const ROWS = `SELECT ${f.rid}, ${f.id}, ${f.original_name}, ${f.mime_type}, ${f.mime_extension},
  ${f.content_datetime}, CAST(${f.phash} AS TEXT) AS phash, ${f.creator_id}, ${u.name} AS creator_name,
  ${f.is_public}, ${f.is_deleted}, ${f.needs_review}, ${d.notes}, ${d.metadata}, ${d.exif}
  FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
  CROSS JOIN file_details d ON ${d.file_rid} = ${f.rid}
  CROSS JOIN users u ON ${u.id} = ${f.creator_id}`

/**
 * Returns the files as `viewer` sees them, each as the specification's File, in the order given;
 * one that no longer exists is left out. `more` returns further fields for a file.
 */
export function presentFiles<More extends object = object>(
  db: Db,
  viewer: User,
  rids: number[],
  more?: (rid: number) => More,
): JsonText<File & More>[] {
  if (rids.length === 0) return []
  const list = JSON.stringify(rids)
  const tags = tagsOfFiles(db, viewTags(db, viewer), list)
  const texts = new Map(
    db
      .all<FileRow>(ROWS, list)
      .map((row) => [row.rid, fileJson(row, tags.get(row.rid) ?? [], more?.(row.rid))]),
  )
  return rids.flatMap((rid) => texts.get(rid) ?? [])
}

/** Returns one file as `viewer` sees it, as the specification's File. Throws not_found. */
export function presentFile(db: Db, viewer: User, rid: number): JsonText<File> {
  const [text] = presentFiles(db, viewer, [rid])
  if (text === undefined) throw new AppError('not_found', 'There is no such file')
  return text
}

/** Returns the tags of a file that `viewer` sees, by name. */
export function presentFileTags(db: Db, viewer: User, rid: number): JsonText<Tag[]> {
  return jsonArray(tagsOfFiles(db, viewTags(db, viewer), JSON.stringify([rid])).get(rid) ?? [])
}

function tagsOfFiles(db: Db, view: TagView, rids: string): Map<number, JsonText<Tag>[]> {
  const rows = db.all<typeof fileTags.$inferSelect>(
    `SELECT ${ft.file_rid}, ${ft.tag_rid} FROM json_each(?) j CROSS JOIN file_tags ft ON ${ft.file_rid} = j.value`,
    rids,
  )
  const known = new Map<number, KnownTag[]>()
  for (const { file_rid, tag_rid } of rows) {
    const tag = view.byRid(tag_rid)
    if (!tag) continue
    const tags = known.get(file_rid)
    if (tags) tags.push(tag)
    else known.set(file_rid, [tag])
  }
  const texts = new Map<number, JsonText<Tag>[]>()
  for (const [rid, tags] of known) {
    texts.set(rid, tags.sort((a, b) => a.rank - b.rank).map(view.json))
  }
  return texts
}

/** Returns the specification's File, which is written out only here. */
function fileJson<More extends object>(
  row: FileRow,
  tags: JsonText<Tag>[],
  more: More | undefined,
): JsonText<File & More> {
  const id = blobToUuid(row.id)
  const fields = JSON.stringify({
    id,
    original_name: row.original_name,
    mime_type: row.mime_type,
    mime_extension: row.mime_extension,
    content_datetime: isoTime(row.content_datetime),
    notes: row.notes,
    creator_id: row.creator_id,
    creator_name: row.creator_name,
    is_public: row.is_public === 1,
    is_deleted: row.is_deleted === 1,
    needs_review: row.needs_review === 1,
    created_at: isoTime(idTime(id)),
    ...more,
  })
  // Fields that are JSON text already go in as they are: an int64 that no JavaScript number can
  // hold, and objects that were validated when they were stored.
  return `${fields.slice(0, -1)},"phash":${row.phash ?? 'null'},"metadata":${row.metadata ?? 'null'},"exif":${row.exif},"tags":${jsonArray(tags)}}`
}
