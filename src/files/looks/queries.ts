import { createHash } from 'node:crypto'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Rotation } from '../../base/enums.ts'
import { prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { fileDetails, fileLooks, files, finerHashes } from '../../db/schema/files.ts'
import type { Tx } from '../../db/write.ts'
import type { Derivatives, Looks } from '../../media/decoder/decoder.ts'
import { oweHashes } from './turn-queries.ts'
import { turnedLooks } from './turned.ts'

/** The looks of a content that can't be decoded. */
export const UNKNOWN_LOOKS: Looks = {
  ...{ width: null, height: null, duration: null },
  ...{ thumbhash: null, is_animated: null },
}

const looked = prepared(getTableColumns(fileLooks), (db, { file_rid, ...given }) =>
  db
    .insert(fileLooks)
    .values({ file_rid, ...given })
    .onConflictDoUpdate({ target: fileLooks.file_rid, set: given }),
)
const unlooked = prepared({ file_rid: fileLooks.file_rid }, (db, given) =>
  db.delete(fileLooks).where(eq(fileLooks.file_rid, given.file_rid)),
)

/** Records how a file looks whose content looks like this; clears it when the system refused to decode the content. */
export function recordLooks(
  tx: Tx,
  file_rid: number,
  { looks, decoder_version }: Pick<Derivatives, 'looks' | 'decoder_version'>,
): void {
  if (looks) {
    const turned = turnedLooks(looks, rotationOf(tx, file_rid))
    looked.run(tx, { file_rid, ...turned, decoder: decoder_version })
  } else unlooked.run(tx, { file_rid })
}

const contentOf = prepared({ file_rid: fileDetails.file_rid }, (db, given) =>
  reading({ sha256: fileDetails.sha256, rotation: fileDetails.rotation }, (fields) =>
    db.select(fields).from(fileDetails).where(eq(fileDetails.file_rid, given.file_rid)),
  ),
)

function rotationOf(tx: Tx, file_rid: number): Rotation {
  return contentOf.get(tx, { file_rid })!.rotation
}

const recorded = prepared(getTableColumns(finerHashes), (db, { file_rid, ...given }) =>
  db
    .insert(finerHashes)
    .values({ file_rid, ...given })
    .onConflictDoUpdate({ target: finerHashes.file_rid, set: given }),
)

const hashed = prepared({ rid: files.rid, phash: files.phash }, (db, given) =>
  db
    .update(files)
    .set({ phash: sql`CAST(${given.phash} AS INTEGER)` })
    .where(eq(files.rid, given.rid)),
)

/**
 * Records the hashes of a file whose content has these. Those of a turned file are owed, as they follow from its
 * thumbnail.
 */
export function recordHashes(
  tx: Tx,
  rid: number,
  { phash, finer }: Pick<Derivatives, 'phash' | 'finer'>,
): void {
  if (phash !== null && rotationOf(tx, rid) !== 0) oweHashes(tx, rid)
  else recordShown(tx, rid, { phash, finer })
}

/** Records the hashes of what a file shows. */
export function recordShown(
  tx: Tx,
  rid: number,
  { phash, finer }: Pick<Derivatives, 'phash' | 'finer'>,
): void {
  hashed.run(tx, { rid, phash })
  recordFinerHash(tx, rid, finer)
}

/** Records the finer hash of what a file shows; null takes nothing away. */
export function recordFinerHash(tx: Tx, file_rid: number, finer: Derivatives['finer']): void {
  if (finer === null) return
  const { sha256, rotation } = contentOf.get(tx, { file_rid })!
  recorded.run(tx, {
    file_rid,
    hash: Buffer.from(finer.hash, 'hex'),
    is_plain: finer.isPlain,
    // Equal contents show the same only if they are turned alike.
    sha256: rotation === 0 ? sha256 : digestOf(sha256, rotation),
  })
}

function digestOf(sha256: Uint8Array, rotation: Rotation): Uint8Array {
  return createHash('sha256').update(sha256).update(String(rotation)).digest()
}
