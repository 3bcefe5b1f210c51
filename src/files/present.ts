import type { Db } from '../db/client.ts'
import { columnNames } from '../db/column-names.ts'
import { blobToUuid } from '../db/columns.ts'
import { idTime } from '../db/ids.ts'
import { fileDetails, fileLooks, files, fileTags } from '../db/schema/files.ts'
import { users } from '../db/schema/users.ts'
import { plainBytes, quotedBytes } from '../db/sql.ts'
import { AppError } from '../errors.ts'
import { type JsonText, jsonArray, PAGE_BYTES } from '../http/json.ts'
import { type TagView, viewTags } from '../tags/cache.ts'
import type { KnownTag } from '../tags/texts.ts'
import { isoTime } from '../time.ts'
import type { User } from '../user.ts'
import { listFileTags } from './queries.ts'
import type { File, FileTag } from './schema.ts'
import { fileVersion } from './version.ts'

const f = columnNames(files, 'f')
const d = columnNames(fileDetails, 'd')
const l = columnNames(fileLooks, 'l')
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
  | 'phash'
  | 'creator_id'

interface Details extends Pick<typeof fileDetails.$inferSelect, 'notes' | 'metadata' | 'exif'> {}

type ContentColumn = 'blob' | 'size' | 'derivative_state' | 'decoder_version'

interface FileRow
  extends Pick<typeof files.$inferSelect, FileColumn>,
    Pick<typeof fileDetails.$inferSelect, ContentColumn>,
    Pick<typeof fileLooks.$inferSelect, 'width' | 'height' | 'duration' | 'thumbhash'>,
    Details {
  id: Uint8Array
  creator_name: string
  is_public: number
  is_deleted: number
  needs_review: number
  /** How many bytes its details have at most as JSON. */
  bytes: number
  /** The row numbers of its tags, negative for those by rule, as JSON text. */
  tags: string
}

/** How many bytes the JSON of a file has at most beside its details and tags; names are short. */
const OVERHEAD = 2000
/** How many bytes a tag has at most for being on a file. */
const TAG_OVERHEAD = 16
/** Longer details are read only once it is known that the file is on the page. */
const LONG_DETAILS = 16 * 1024

const DETAILS_BYTES = `${quotedBytes(d.notes)} + ${plainBytes(d.metadata)} + ${plainBytes(d.exif)}`

/** Returns the statement for files of which a condition holds, with their details as given. */
// phash is read as text, since both drivers round integers beyond 2^53.
const rowsWhere = (condition: string, details: string) =>
  `SELECT ${f.rid}, ${f.id}, ${f.original_name}, ${f.mime_type}, ${f.mime_extension},
  ${f.content_offset}, ${f.date_source}, ${d.blob}, ${d.size}, ${d.derivative_state}, ${d.decoder_version},
  ${l.width}, ${l.height}, ${l.duration}, ${l.thumbhash},
  ${f.content_datetime}, CAST(${f.phash} AS TEXT) AS phash, ${f.creator_id}, ${u.name} AS creator_name,
  ${f.is_public}, ${f.is_deleted}, ${f.needs_review}, ${details}, ${DETAILS_BYTES} AS bytes,
  (SELECT json_group_array(iif(${ft.by_hand}, ${ft.tag_rid}, -${ft.tag_rid})) FROM file_tags ft WHERE ${ft.file_rid} = ${f.rid}) AS tags
  FROM json_each(?) j CROSS JOIN files f ON ${f.rid} = j.value
  CROSS JOIN file_details d ON ${d.file_rid} = ${f.rid}
  LEFT JOIN file_looks l ON ${l.file_rid} = ${f.rid}
  CROSS JOIN users u ON ${u.id} = ${f.creator_id} WHERE ${condition}`

const DETAILS = `${d.notes}, ${d.metadata}, ${d.exif}`
const SHORT_ROWS = rowsWhere(`${DETAILS_BYTES} <= ${LONG_DETAILS}`, DETAILS)
const LONG_ROWS = rowsWhere(`${DETAILS_BYTES} > ${LONG_DETAILS}`, 'NULL AS exif')
const LONG_TEXTS = `SELECT ${d.file_rid}, ${DETAILS}
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
  const { rows, tags, taken } = filesThatFit(db, view, rids, room)
  readLongDetails(db, rows)
  const texts = tagTexts(view, tags)
  let from = 0
  const files = rows.map((row) => {
    const own = texts.slice(from, from + row.tagCount)
    from += row.tagCount
    return fileJson(row, own, more?.(row.rid))
  })
  return { files, taken }
}

interface FittingFile extends FileRow {
  /** How many tags of it the viewer sees. */
  tagCount: number
}

/** Returns the first of the files, as many as fit, and the tags of all of them that the viewer sees. */
function filesThatFit(
  db: Db,
  view: TagView,
  rids: number[],
  room: number,
): { rows: FittingFile[]; tags: CarriedTag[]; taken: number } {
  const found = readRows(db, rids)
  const rows: FittingFile[] = []
  const tags: CarriedTag[] = []
  let bytes = 0
  for (const [taken, rid] of rids.entries()) {
    const row = found.get(rid)
    if (!row) continue
    const own = knownTags(view, JSON.parse(row.tags))
    bytes += OVERHEAD + row.bytes
    for (const { tag } of own) bytes += view.bytesOf(tag) + TAG_OVERHEAD
    if (bytes > room && rows.length > 0) return { rows, tags, taken }
    rows.push(Object.assign(row, { tagCount: own.length }))
    tags.push(...own)
  }
  return { rows, tags, taken: rids.length }
}

/** Returns the rows of the files by their numbers; long ones have no details yet. */
function readRows(db: Db, rids: number[]): Map<number, FileRow> {
  const found = new Map<number, FileRow>()
  for (const row of db.all<FileRow>(SHORT_ROWS, JSON.stringify(rids))) found.set(row.rid, row)
  if (found.size === rids.length) return found
  const rest = JSON.stringify(rids.filter((rid) => !found.has(rid)))
  for (const row of db.all<FileRow>(LONG_ROWS, rest)) found.set(row.rid, row)
  return found
}

function readLongDetails(db: Db, rows: FileRow[]): void {
  const long = new Map<number, FileRow>()
  for (const row of rows) if (row.bytes > LONG_DETAILS) long.set(row.rid, row)
  if (long.size === 0) return
  const list = JSON.stringify([...long.keys()])
  for (const { file_rid, ...details } of db.all<Details & { file_rid: number }>(LONG_TEXTS, list)) {
    Object.assign(long.get(file_rid)!, details)
  }
}

/** Returns one file as `viewer` sees it, as the specification's File. Throws not_found. */
export function presentFile(db: Db, viewer: User, rid: number): JsonText<File> {
  const [text] = presentPage(db, viewer, [rid]).files
  if (text === undefined) throw new AppError('not_found', 'There is no such file')
  return text
}

/** Returns the tags of a file that `viewer` sees, by name. */
export function presentFileTags(db: Db, viewer: User, rid: number): JsonText<FileTag[]> {
  const view = viewTags(db, viewer)
  const numbers = listFileTags(db, rid).map(({ tag_rid, by_hand }) =>
    by_hand ? tag_rid : -tag_rid,
  )
  return jsonArray(tagTexts(view, knownTags(view, numbers)))
}

/** A tag that is on a file. */
interface CarriedTag {
  tag: KnownTag
  by_rule: boolean
}

/** Returns those of the tags that the viewer sees, by name; the numbers of those by rule are negative. */
function knownTags(view: TagView, numbers: number[]): CarriedTag[] {
  const known: CarriedTag[] = []
  for (const number of numbers) {
    const tag = view.byRid(Math.abs(number))
    if (tag) known.push({ tag, by_rule: number < 0 })
  }
  return known.sort((a, b) => a.tag.rank - b.tag.rank)
}

/** Returns each tag as a file shows it. */
function tagTexts(view: TagView, carried: CarriedTag[]): JsonText<FileTag>[] {
  return view
    .texts(carried.map(({ tag }) => tag))
    .map((text, index) => `${text.slice(0, -1)},"by_rule":${carried[index]!.by_rule}}`)
}

/** Returns the specification's File, which is written out only here. */
function fileJson<More extends object>(
  row: FileRow,
  tags: JsonText<FileTag>[],
  more: More | undefined,
): JsonText<File & More> {
  const id = blobToUuid(row.id)
  const fields = JSON.stringify({
    id,
    original_name: row.original_name,
    mime_type: row.mime_type,
    mime_extension: row.mime_extension,
    content_datetime: isoTime(row.content_datetime),
    content_offset: row.content_offset,
    date_source: row.date_source,
    size: row.size,
    width: row.width,
    height: row.height,
    duration: row.duration,
    thumbhash: row.thumbhash && base64(row.thumbhash),
    version: fileVersion(row),
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

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}
