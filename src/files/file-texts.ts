import { LRUCache } from 'lru-cache'
import { isoTime } from '../base/time.ts'
import type { Db } from '../db/client.ts'
import { blobToUuid } from '../db/columns.ts'
import { idTime } from '../db/ids.ts'
import { perConnection, stateOf } from '../db/per-connection.ts'
import { isWriting } from '../db/write.ts'
import type { JsonText } from '../http/json.ts'
import { placeOf } from './places/towns.ts'
import { type FileRow, LONG_DETAILS, readRows, withLongDetails } from './present-queries.ts'
import type { File, FileTag } from './schema.ts'
import { leavesTrashAt } from './trash-keep.ts'
import { fileVersion } from './version.ts'

/** What differs between the users that see a file. */
export interface OwnFields {
  /** Its tags, as the viewer sees them. */
  tags: JsonText<FileTag[]>
  /** The id of the picture that it belongs to, as far as the viewer may know. */
  companion_of: string | null
  is_favourite: boolean
}

/** A file as the specification's File shows it, except for what depends on the viewer. */
export interface FileText {
  /** The row numbers of its tags, negative for those by rule. */
  tags: number[]
  /** An upper bound on the bytes of its details as JSON. */
  bytes: number
  /** Returns its JSON with what depends on the viewer, and with further fields. */
  with(own: OwnFields, more: object | undefined): JsonText<File>
}

/** The limit of the cache in bytes; it is small because each change makes all entries stale. */
const MOST_CACHED = 16 * 2 ** 20
// Bytes in memory per file beside its details, and per tag.
const OWN_BYTES = 1700
const TAG_BYTES = 8

// The texts of one state of the library: clients read the same pages again and again until something changes.
interface Cache {
  state: string
  texts: LRUCache<number, FileText>
}

const cacheOf = perConnection(() => ({ now: emptyCache('') }))

function emptyCache(state: string): Cache {
  const sizeCalculation = ({ bytes, tags }: FileText) => OWN_BYTES + bytes + TAG_BYTES * tags.length
  return { state, texts: new LRUCache({ maxSize: MOST_CACHED, sizeCalculation }) }
}

/** Returns the cache for the present state of the library; null inside a write, which may be rolled back. */
function currentCache(db: Db): Cache['texts'] | null {
  if (isWriting(db)) return null
  const cache = cacheOf(db)
  const state = stateOf(db)
  if (cache.now.state !== state) cache.now = emptyCache(state)
  return cache.now.texts
}

/** Returns the files by their row numbers; long details are read only when `with` is called. */
export function fileTexts(db: Db, rids: number[]): Map<number, FileText> {
  const cache = currentCache(db)
  const found = new Map<number, FileText>()
  const missing: number[] = []
  for (const rid of rids) {
    const known = cache?.get(rid)
    if (known) found.set(rid, known)
    else missing.push(rid)
  }
  if (missing.length === 0) return found
  for (const row of readRows(db, missing).values()) {
    const isLong = row.bytes > LONG_DETAILS
    const text = isLong ? longText(db, row) : textOf(db, row)
    found.set(row.rid, text)
    if (!isLong) cache?.set(row.rid, text)
  }
  return found
}

function longText(db: Db, row: FileRow): FileText {
  return {
    tags: JSON.parse(row.tags),
    bytes: row.bytes,
    with: (own, more) => textOf(db, withLongDetails(db, row)).with(own, more),
  }
}

// The specification's File is written out only here.
function textOf(db: Db, row: FileRow): FileText {
  const id = blobToUuid(row.id)
  const fields = JSON.stringify({
    id,
    original_name: row.original_name,
    mime_type: row.mime_type,
    mime_extension: row.mime_extension,
    content_datetime: isoTime(row.content_datetime),
    content_offset: row.content_offset,
    date_source: row.date_source,
    date_precision: row.date_precision,
    size: row.size,
    width: row.width,
    height: row.height,
    duration: row.duration,
    thumbhash: row.thumbhash && Buffer.from(row.thumbhash).toString('base64'),
    is_damaged: row.is_damaged === 1,
    rotation: row.rotation,
    version: fileVersion(row),
    place: row.town === null ? null : placeOf(row.town),
    notes: row.notes,
    creator_id: row.creator_id,
    creator_name: row.creator_name,
    is_public: row.is_public === 1,
    is_deleted: row.is_deleted === 1,
    trashed_at: row.trashed_at === null ? null : isoTime(row.trashed_at),
    leaves_trash_at: leavesTrashAt(db, row.trashed_at),
    needs_review: row.needs_review === 1,
    created_at: isoTime(idTime(id)),
  })
  // Fields that are JSON text already go in as they are: an int64 that no JavaScript number can hold, and objects that
  // were validated when they were stored.
  const { phash, metadata, exif } = row
  const text = `${fields.slice(0, -1)},"phash":${phash ?? 'null'},"metadata":${metadata ?? 'null'},"exif":${exif}`
  return {
    tags: JSON.parse(row.tags),
    bytes: row.bytes,
    with({ tags, ...own }, more) {
      const further = JSON.stringify({ ...more, ...own }).slice(1, -1)
      return `${text},${further},"tags":${tags}}`
    },
  }
}
