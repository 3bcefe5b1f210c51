import type { Db } from '../db/client.ts'
import { blobToUuid } from '../db/columns.ts'
import { idTime } from '../db/ids.ts'
import { keptMap } from '../db/kept.ts'
import { stateOf } from '../db/state.ts'
import { isWriting } from '../db/write.ts'
import type { JsonText } from '../http/json.ts'
import { isoTime } from '../time.ts'
import { type FileRow, LONG_DETAILS, readRows, withLongDetails } from './present-queries.ts'
import type { File, FileTag } from './schema.ts'
import { fileVersion } from './version.ts'

/** A file as the specification's File shows it, but for its tags, which depend on who looks. */
export interface WrittenFile {
  /** The row numbers of its tags, negative for those by rule. */
  tags: number[]
  /** How many bytes its details have at most as JSON. */
  bytes: number
  /** Returns its JSON with its tags as they are shown, and with further fields. */
  with(tags: JsonText<FileTag[]>, more: object | undefined): JsonText<File>
}

interface Kept {
  /** What the library was like when it was written. */
  state: string
  file: WrittenFile
  length: number
}

/** Those that were written since the last change to the library: pages are looked at again and again. */
const keptOf = keptMap<number, Kept>(({ length }) => length)

/** Returns the files by their row numbers; what is long of them is only read once `with` is called. */
export function writtenFiles(db: Db, rids: number[]): Map<number, WrittenFile> {
  const kept = keptOf(db)
  // What is seen inside a write may be rolled back.
  const state = isWriting(db) ? null : stateOf(db)
  const found = new Map<number, WrittenFile>()
  const missing: number[] = []
  for (const rid of rids) {
    const known = kept.get(rid)
    if (known && known.state === state) found.set(rid, known.file)
    else missing.push(rid)
  }
  if (missing.length === 0) return found
  for (const row of readRows(db, missing).values()) {
    const file = row.bytes > LONG_DETAILS ? longFile(db, row) : written(row)
    found.set(row.rid, file)
    if (state === null || row.bytes > LONG_DETAILS) continue
    kept.set(row.rid, { state, file, length: OWN_BYTES + row.bytes })
  }
  return found
}

/** What a file takes in memory beside its details. */
const OWN_BYTES = 1500

function longFile(db: Db, row: FileRow): WrittenFile {
  return {
    tags: JSON.parse(row.tags),
    bytes: row.bytes,
    with: (tags, more) => written(withLongDetails(db, row)).with(tags, more),
  }
}

/** The specification's File is written out only here. */
function written(row: FileRow): WrittenFile {
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
    thumbhash: row.thumbhash && Buffer.from(row.thumbhash).toString('base64'),
    version: fileVersion(row),
    notes: row.notes,
    creator_id: row.creator_id,
    creator_name: row.creator_name,
    is_public: row.is_public === 1,
    is_deleted: row.is_deleted === 1,
    needs_review: row.needs_review === 1,
    created_at: isoTime(idTime(id)),
  })
  // Fields that are JSON text already go in as they are: an int64 that no JavaScript number can
  // hold, and objects that were validated when they were stored.
  const text = `${fields.slice(0, -1)},"phash":${row.phash ?? 'null'},"metadata":${row.metadata ?? 'null'},"exif":${row.exif}`
  return {
    tags: JSON.parse(row.tags),
    bytes: row.bytes,
    with(tags, more) {
      const further = more === undefined ? '' : `,${JSON.stringify(more).slice(1, -1)}`
      return `${text}${further},"tags":${tags}}`
    },
  }
}
