import { eq, getTableColumns, sql } from 'drizzle-orm'
import { prepared } from '../../db/prepared.ts'
import { fileDetails, fileLooks, finerHashes } from '../../db/schema/files.ts'
import type { Tx } from '../../db/write.ts'
import type { Derivatives, Looks } from '../../media/decoder/decoder.ts'

/** The looks of a content that can't be decoded. */
export const UNKNOWN_LOOKS: Looks = { width: null, height: null, duration: null, thumbhash: null }

const looked = prepared(getTableColumns(fileLooks), (db, { file_rid, ...given }) =>
  db
    .insert(fileLooks)
    .values({ file_rid, ...given })
    .onConflictDoUpdate({ target: fileLooks.file_rid, set: given }),
)
const unlooked = prepared({ file_rid: fileLooks.file_rid }, (db, given) =>
  db.delete(fileLooks).where(eq(fileLooks.file_rid, given.file_rid)),
)

/** Records how a file's content looks; clears it when the system refused to decode the content. */
export function recordLooks(
  tx: Tx,
  file_rid: number,
  { looks, decoder_version }: Pick<Derivatives, 'looks' | 'decoder_version'>,
): void {
  if (looks) looked.run(tx, { file_rid, ...looks, decoder: decoder_version })
  else unlooked.run(tx, { file_rid })
}

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
