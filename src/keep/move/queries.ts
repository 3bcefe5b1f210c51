import { eq, inArray } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { fileDetails, files } from '../../db/schema/files.ts'
import { listed } from '../../db/sql.ts'

/** A content as the row of its file describes it. */
export interface NamedContent {
  /** Id of its file. */
  id: string
  blob: string
  /** Bytes. */
  size: number
  /** In hexadecimal. */
  sha256: string
}

const { blob, size, sha256 } = fileDetails

const named = prepared({ blobs: 'text' }, (db, given) =>
  reading({ id: files.id, blob, size, sha256 }, (fields) =>
    db
      .select(fields)
      .from(fileDetails)
      .innerJoin(files, eq(files.rid, fileDetails.file_rid))
      .where(inArray(blob, listed(given.blobs))),
  ),
)

/** Returns those of the contents that files have. */
export function namedContents(db: Db, blobs: string[]): NamedContent[] {
  return named
    .all(db, { blobs: JSON.stringify(blobs) })
    .map((row) => ({ ...row, sha256: Buffer.from(row.sha256).toString('hex') }))
}
