import type { Db } from '../db/client.ts'
import { columnNames } from '../db/column-names.ts'
import { blobToUuid } from '../db/columns.ts'
import { idTime } from '../db/ids.ts'
import { fileDetails, files, fileTags } from '../db/schema/files.ts'
import { users } from '../db/schema/users.ts'
import { plainBytes, quotedBytes } from '../db/sql.ts'
import { AppError } from '../errors.ts'
import { type JsonText, jsonArray } from '../http/json.ts'
import { type TagView, viewTags } from '../tags/cache.ts'
import type { Tag } from '../tags/schema.ts'
import type { KnownTag } from '../tags/texts.ts'
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
  | 'tag_count'

interface Details extends Pick<typeof fileDetails.$inferSelect, 'notes' | 'metadata' | 'exif'> {}

interface FileRow extends Pick<typeof files.$inferSelect, FileColumn>, Details {
  id: Uint8Array
  creator_name: string
  is_public: number
  is_deleted: number
  needs_review: number
  /** How many bytes it has at most as JSON, without its tags. */
  bytes: number
}

/** A page of files ends before its answer passes this many bytes. */
const PAGE_BYTES = 8 * 1024 * 1024
/** How many bytes the JSON of a file has at most beside its texts. */
const OVERHEAD = 800
/** Longer details are read only once it is known that the file is on the page. */
const LONG_DETAILS = 16 * 1024
/** How many tags of files are read at a time. */
const TAGS_AT_A_TIME = 20_000

const DETAILS_BYTES = `${quotedBytes(d.notes)} + ${plainBytes(d.metadata)} + ${plainBytes(d.exif)}`
const unlessLong = (column: string) =>
  `iif(${DETAILS_BYTES} > ${LONG_DETAILS}, NULL, ${column}) AS ${column.slice(2)}`

// phash is read as text, since both drivers round integers beyond 2^53.
const ROWS = `SELECT ${f.rid}, ${f.id}, ${f.original_name}, ${f.mime_type}, ${f.mime_extension},
  ${f.content_datetime}, CAST(${f.phash} AS TEXT) AS phash, ${f.creator_id}, ${u.name} AS creator_name,
  ${f.is_public}, ${f.is_deleted}, ${f.needs_review}, ${f.tag_count}, ${unlessLong(d.notes)},
  ${unlessLong(d.metadata)}, ${unlessLong(d.exif)},
  ${OVERHEAD} + ${quotedBytes(f.original_name)} + ${quotedBytes(u.name)} + ${DETAILS_BYTES} AS bytes
  FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
  CROSS JOIN file_details d ON ${d.file_rid} = ${f.rid}
  CROSS JOIN users u ON ${u.id} = ${f.creator_id}`

const LONG_ROWS = `SELECT ${d.file_rid}, ${d.notes}, ${d.metadata}, ${d.exif}
  FROM json_each(?) j CROSS JOIN file_details d ON ${d.file_rid} = j.value`

/** What a page of files holds, in the order given; `taken` counts the files that it deals with. */
interface FilePage<More extends object> {
  files: JsonText<File & More>[]
  taken: number
}

/**
 * Returns the first of the files as `viewer` sees them, each as the specification's File, in the order
 * given: one at least, and no more than fit into `room` bytes. One that no longer exists is left out.
 * `more` returns further fields for a file.
 */
export function presentPage<More extends object = object>(
  db: Db,
  viewer: User,
  rids: number[],
  { room = PAGE_BYTES, more }: { room?: number; more?: (rid: number) => More } = {},
): FilePage<More> {
  if (rids.length === 0) return { files: [], taken: 0 }
  const view = viewTags(db, viewer)
  const { shown, taken } = filesThatFit(db, view, rids, room)
  readLongDetails(db, shown)
  const texts = view.texts(shown.flatMap((file) => file.tags))
  let from = 0
  const files = shown.map(({ row, tags }) => {
    const own = texts.slice(from, from + tags.length)
    from += tags.length
    return fileJson(row, own, more?.(row.rid))
  })
  return { files, taken }
}

interface ShownFile {
  row: FileRow
  tags: KnownTag[]
}

/** Returns the first of the files, as many as fit, with the tags that the viewer sees, by name. */
function filesThatFit(
  db: Db,
  view: TagView,
  rids: number[],
  room: number,
): { shown: ShownFile[]; taken: number } {
  const found = new Map(
    db.all<FileRow>(ROWS, JSON.stringify(rids)).map((row) => [row.rid, row]),
  )
  const rows = rids.flatMap((rid) => found.get(rid) ?? [])
  const shown: ShownFile[] = []
  let bytes = 0
  for (const portion of portions(rows)) {
    const tagsOf = tagsOfFiles(
      db,
      view,
      portion.map((row) => row.rid),
    )
    for (const row of portion) {
      const tags = tagsOf.get(row.rid) ?? []
      bytes += row.bytes
      for (const tag of tags) bytes += view.bytesOf(tag)
      if (bytes > room && shown.length > 0) return { shown, taken: rids.indexOf(row.rid) }
      shown.push({ row, tags: tags.sort((a, b) => a.rank - b.rank) })
    }
  }
  return { shown, taken: rids.length }
}

/** Yields files whose tags are read together: few when they have many, or all would be read for one. */
function* portions(rows: FileRow[]): Generator<FileRow[]> {
  let portion: FileRow[] = []
  let tags = 0
  for (const row of rows) {
    portion.push(row)
    tags += row.tag_count
    if (tags < TAGS_AT_A_TIME) continue
    yield portion
    portion = []
    tags = 0
  }
  if (portion.length > 0) yield portion
}

function readLongDetails(db: Db, shown: ShownFile[]): void {
  const long = new Map(
    shown.flatMap(({ row }) => (row.exif === null ? [[row.rid, row] as const] : [])),
  )
  if (long.size === 0) return
  const rows = db.all<Details & { file_rid: number }>(LONG_ROWS, JSON.stringify([...long.keys()]))
  for (const { file_rid, ...details } of rows) Object.assign(long.get(file_rid)!, details)
}

/** Returns one file as `viewer` sees it, as the specification's File. Throws not_found. */
export function presentFile(db: Db, viewer: User, rid: number): JsonText<File> {
  const [text] = presentPage(db, viewer, [rid]).files
  if (text === undefined) throw new AppError('not_found', 'There is no such file')
  return text
}

/** Returns the tags of a file that `viewer` sees, by name. */
export function presentFileTags(db: Db, viewer: User, rid: number): JsonText<Tag[]> {
  const view = viewTags(db, viewer)
  const tags = tagsOfFiles(db, view, [rid]).get(rid) ?? []
  return jsonArray(view.texts(tags.sort((a, b) => a.rank - b.rank)))
}

function tagsOfFiles(db: Db, view: TagView, rids: number[]): Map<number, KnownTag[]> {
  const rows = db.all<typeof fileTags.$inferSelect>(
    `SELECT ${ft.file_rid}, ${ft.tag_rid} FROM json_each(?) j CROSS JOIN file_tags ft ON ${ft.file_rid} = j.value`,
    JSON.stringify(rids),
  )
  const known = new Map<number, KnownTag[]>()
  for (const { file_rid, tag_rid } of rows) {
    const tag = view.byRid(tag_rid)
    if (!tag) continue
    const tags = known.get(file_rid)
    if (tags) tags.push(tag)
    else known.set(file_rid, [tag])
  }
  return known
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
