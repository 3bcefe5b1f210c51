import { asc, gt } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { asLimit, prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { fileDetails } from '../../db/schema/files.ts'

/** A content as it was when it was stored. */
export interface StoredContent {
  blob: string
  /** Bytes. */
  size: number
  /** In hexadecimal. */
  sha256: string
}

const { blob, size, sha256 } = fileDetails

const next = prepared({ after: 'text', limit: 'number' }, (db, given) =>
  reading({ blob, size, sha256 }, (fields) =>
    db
      .select(fields)
      .from(fileDetails)
      .where(gt(blob, given.after))
      .orderBy(asc(blob))
      .limit(asLimit(given.limit)),
  ),
)

/** Returns the first contents after a blob, in the order of their blobs. */
export function listContents(db: Db, page: { after: string; limit: number }): StoredContent[] {
  return next
    .all(db, page)
    .map((row) => ({ ...row, sha256: Buffer.from(row.sha256).toString('hex') }))
}
