import type { DatePrecision } from '../../../src/base/enums.ts'
import type { Db } from '../../../src/db/client.ts'
import { write } from '../../../src/db/write.ts'
import { addManyFiles } from '../many-files.ts'
import { turned } from './finer.ts'

/** A file as proposals look at it; whatever isn't named here is the same for all files. */
export interface MadeFile {
  /** Stands for its bytes; each file has some of its own where it isn't given. */
  content?: string
  /** Stands for what it shows, so that the first and finer hashes are near each other; 0 for no hash. */
  shows?: number
  /** Bits in which its first hash, and its finer one, differ from what it shows. */
  away?: { first?: number; finer?: number }
  isPlain?: boolean
  size?: [width: number, height: number]
  duration?: number
  type?: string
  owner?: number
  isPublic?: boolean
  trashed?: boolean
  rotation?: number
  notes?: string
  metadata?: object
  /** Its date, `given` where it has no source. */
  date?: { time: number; offset?: number; source?: string | null; precision?: DatePrecision }
  /** DateTimeOriginal. */
  exif?: string
}

const SHOWN = 7919n * 104_729n * 1_299_709n

/** Adds files without contents, oldest first; returns their ids. */
export function addPictures(db: Db, owner: number, made: MadeFile[]): string[] {
  return write(db, { now: 0 }, () => {
    const { last } = db.get<{ last: number }>('SELECT coalesce(max(rid), 0) AS last FROM files')!
    const ids = addManyFiles(db, made.length, { owner })
    for (const [index, file] of made.entries()) describe(db, last + 1 + index, file)
    return ids
  })
}

function describe(db: Db, rid: number, file: MadeFile): void {
  const sha256 = Buffer.alloc(32, file.content ?? `own ${rid}`)
  const {
    time = 0,
    offset = null,
    source = 'given',
    precision = null,
  } = file.date ?? { source: null }
  db.run(
    `UPDATE files SET mime_type = ?, is_deleted = ?, is_public = ?, creator_id = coalesce(?, creator_id),
     content_datetime = ?, content_offset = ?, date_source = ?, date_precision = ? WHERE rid = ?`,
    file.type ?? 'image/jpeg',
    Number(file.trashed ?? false),
    Number(file.isPublic ?? false),
    file.owner ?? null,
    time,
    offset,
    source,
    precision,
    rid,
  )
  db.run(
    `UPDATE file_details SET sha256 = ?, rotation = ?, notes = ?, metadata = ?, exif = ?
     WHERE file_rid = ?`,
    sha256,
    file.rotation ?? 0,
    file.notes ?? null,
    file.metadata ? JSON.stringify(file.metadata) : null,
    JSON.stringify(file.exif ? { DateTimeOriginal: file.exif } : {}),
    rid,
  )
  const [width, height] = file.size ?? [null, null]
  db.run(
    'INSERT INTO file_looks (file_rid, width, height, duration, decoder) VALUES (?, ?, ?, ?, ?)',
    rid,
    width,
    height,
    file.duration ?? null,
    'test',
  )
  if (!file.shows) return
  const phash =
    BigInt.asUintN(64, BigInt(file.shows) * SHOWN) ^ (2n ** BigInt(file.away?.first ?? 0) - 1n)
  db.run(
    'UPDATE files SET phash = CAST(? AS INTEGER) WHERE rid = ?',
    String(BigInt.asIntN(64, phash)),
    rid,
  )
  const shown = new Uint8Array(32).map((_, byte) => (file.shows! * 151 + byte * 89) & 255)
  db.run(
    'INSERT INTO finer_hashes VALUES (?, ?, ?, ?)',
    rid,
    turned(shown, file.away?.finer ?? 0),
    Number(file.isPlain ?? false),
    sha256,
  )
}
