import type { Db } from '../../db/client.ts'
import { blobToUuid, columnNames } from '../../db/columns.ts'
import { fileDetails, files } from '../../db/schema/files.ts'
import { removals } from '../../db/schema/library.ts'

const f = columnNames(files, 'f')
const d = columnNames(fileDetails, 'd')

/** A content as its row describes it. */
export interface KnownContent {
  rid: number
  /** Id of its file. */
  id: string
  blob: string
  /** Bytes. */
  size: number
  sha256: Uint8Array
}

const COLUMNS = `${d.file_rid} AS rid, ${f.id} AS id, ${d.blob} AS blob, ${d.size} AS size, ${d.sha256} AS sha256`
const FROM = `FROM file_details d JOIN files f ON ${f.rid} = ${d.file_rid}`

type Raw = Omit<KnownContent, 'id'> & { id: Uint8Array }

/** Returns the contents of the files after a row number, ordered by it. */
export function contentsAfter(db: Db, rid: number, limit: number): KnownContent[] {
  return db
    .all<Raw>(
      `SELECT ${COLUMNS} ${FROM} WHERE ${d.file_rid} > ? ORDER BY ${d.file_rid} LIMIT ?`,
      rid,
      limit,
    )
    .map(contentOf)
}

/** Returns whether the file still has this content. */
export function isCurrent(db: Db, { rid, blob, sha256 }: KnownContent): boolean {
  const row = db.get<Raw>(`SELECT ${COLUMNS} ${FROM} WHERE ${d.file_rid} = ?`, rid)
  return row !== undefined && row.blob === blob && Buffer.from(row.sha256).equals(sha256)
}

function contentOf({ id, ...rest }: Raw): KnownContent {
  return { ...rest, id: blobToUuid(id) }
}

/** Returns the total bytes of all contents. */
export function bytesOfContents(db: Db): number {
  return db.get<{ bytes: number }>(`SELECT ifnull(sum(${d.size}), 0) AS bytes FROM file_details d`)!
    .bytes
}

/** Returns the blobs that no file has and that aren't waiting to be removed. */
export function unknownOf(db: Db, blobs: string[]): string[] {
  const r = columnNames(removals, 'r')
  return db
    .all<{ blob: string }>(
      `SELECT value AS blob FROM json_each(?)
       WHERE NOT EXISTS (SELECT 1 FROM file_details d WHERE ${d.blob} = value)
       AND NOT EXISTS (SELECT 1 FROM removals r WHERE ${r.blob} = value)`,
      JSON.stringify(blobs),
    )
    .map(({ blob }) => blob)
}
