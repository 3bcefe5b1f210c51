import { randomBytes } from 'node:crypto'
import type { Config } from '../../src/base/config.ts'
import type { Db } from '../../src/db/client.ts'
import { newId } from '../../src/db/ids.ts'
import { fold } from '../../src/db/text.ts'
import { type Tx, write } from '../../src/db/write.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { sha256 } from './backups.ts'
import { contentsOf } from './contents.ts'
import type { Library } from './harness.ts'

/** Returns the paths of everything in the data folder of a library. */
export function pathsOf({ config }: { config: Pick<Config, 'dataDir'> }) {
  return dataFolder(config.dataDir)
}

/** Returns bytes that come in pieces, as one. */
export async function together(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(Uint8Array.from(piece))
  return Buffer.concat(pieces)
}

/** A file with a content that nobody decodes, and of which nothing is left to be found out. */
export interface StoredFile {
  name: string
  bytes: Uint8Array
  /** The first user, unless another one is named. */
  owner?: number
  /** `content_datetime` in milliseconds; 0 when absent. */
  time?: number
  isPublic?: boolean
  isTrashed?: boolean
}

/** How many files are written at once. */
const AT_ONCE = 1000

/** Gives a library such files with their contents, as long as no server is at work there. */
export function addStoredFiles(
  db: Db,
  library: Pick<Library, 'folder' | 'store'>,
  files: Iterable<StoredFile>,
): void {
  const contents = contentsOf(library)
  let rows: object[] = []
  const writeRows = () => write(db, { now: Date.now() }, (tx) => addRows(tx, rows))
  for (const file of files) {
    const blob = randomBytes(16).toString('hex')
    contents.write(blob, file.bytes)
    rows.push(rowOf(file, blob))
    if (rows.length < AT_ONCE) continue
    writeRows()
    rows = []
  }
  writeRows()
}

function rowOf(file: StoredFile, blob: string): object {
  const { name, bytes, owner = 1, time = 0, isPublic = false, isTrashed = false } = file
  const flags = { isPublic: Number(isPublic), isTrashed: Number(isTrashed) }
  return {
    name,
    key: fold(name),
    owner,
    time,
    ...flags,
    blob,
    size: bytes.length,
    sha256: sha256(bytes),
  }
}

/** Adds the rows in statements for all of them: one for each would be planned, with its triggers, again and again. */
function addRows(tx: Tx, rows: object[]): void {
  const first = BigInt(`0x${newId(tx, 'files').replaceAll('-', '')}`)
  const id = (n: number) => (first + BigInt(n)).toString(16).padStart(32, '0')
  const json = JSON.stringify(rows.map((row, n) => ({ ...row, id: id(n) })))
  tx.run(
    `INSERT INTO files (id, original_name, name_key, mime_type, mime_extension, content_datetime,
     creator_id, is_public, is_deleted, needs_review, date_source)
     SELECT unhex(value ->> 'id'), value ->> 'name', value ->> 'key', 'video/mp4', 'mp4', value ->> 'time',
     value ->> 'owner', value ->> 'isPublic', value ->> 'isTrashed', 1, 'upload'
     FROM json_each(?) ORDER BY key`,
    json,
  )
  tx.run(
    `INSERT INTO file_details (file_rid, blob, size, sha256, stored_at, derivative_state, exif)
     SELECT rid, value ->> 'blob', value ->> 'size', unhex(value ->> 'sha256'), 0, 'made', '{}'
     FROM json_each(?) CROSS JOIN files ON files.id = unhex(value ->> 'id')`,
    json,
  )
  tx.run(
    `INSERT INTO file_looks (file_rid, thumbhash, decoder)
     SELECT rid, x'00', 'none' FROM json_each(?) CROSS JOIN files ON files.id = unhex(value ->> 'id')`,
    json,
  )
}
