import { eq, sql } from 'drizzle-orm'
import { prepared } from '../db/prepared.ts'
import { fileDetails, finerHashes } from '../db/schema/files.ts'
import type { Tx } from '../db/write.ts'
import type { Derivatives } from '../media/decoder/decoder.ts'

const recorded = prepared(
  { file_rid: finerHashes.file_rid, hash: finerHashes.hash, is_plain: finerHashes.is_plain },
  (db, { file_rid, ...given }) => {
    const { sha256 } = fileDetails
    const ofContent = db
      .select({ sha256 })
      .from(fileDetails)
      .where(eq(fileDetails.file_rid, file_rid))
    const hash = { ...given, sha256: sql`${ofContent}` }
    return db
      .insert(finerHashes)
      .values({ file_rid, ...hash })
      .onConflictDoUpdate({ target: finerHashes.file_rid, set: hash })
  },
)

/** Records the finer hash of a file's present content; null takes nothing away. */
export function recordFinerHash(tx: Tx, file_rid: number, finer: Derivatives['finer']): void {
  if (finer === null) return
  recorded.run(tx, { file_rid, hash: Buffer.from(finer.hash, 'hex'), is_plain: finer.isPlain })
}
