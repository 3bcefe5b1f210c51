import { eq, getTableColumns } from 'drizzle-orm'
import { prepared } from '../../db/prepared.ts'
import { fileLooks } from '../../db/schema/files.ts'
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
