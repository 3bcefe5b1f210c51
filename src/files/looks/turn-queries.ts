import { and, asc, eq, getTableColumns, gt, inArray } from 'drizzle-orm'
import type { Rotation } from '../../base/enums.ts'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { owedWork } from '../../db/schema/background.ts'
import { fileDetails, fileLooks, files, finerHashes } from '../../db/schema/files.ts'
import { listed } from '../../db/sql.ts'
import type { Tx } from '../../db/write.ts'
import { turnedLooks } from './turned.ts'

// The name of the work on hashes of turned files.
const WORK = 'turned'

const rotations = prepared({ rids: 'text' }, (db, given) =>
  reading({ rid: fileDetails.file_rid, rotation: fileDetails.rotation }, (fields) =>
    db
      .select(fields)
      .from(fileDetails)
      .where(inArray(fileDetails.file_rid, listed(given.rids))),
  ),
)

/** Returns by how many degrees files are turned, by their row numbers. */
export function rotationsOf(db: Db, rids: number[]): Map<number, Rotation> {
  const rows = rotations.all(db, { rids: JSON.stringify(rids) })
  return new Map(rows.map(({ rid, rotation }) => [rid, rotation]))
}

const looksOf = prepared({ file_rid: fileLooks.file_rid }, (db, given) =>
  reading(getTableColumns(fileLooks), (fields) =>
    db.select(fields).from(fileLooks).where(eq(fileLooks.file_rid, given.file_rid)),
  ),
)
const { width, height, thumbhash } = fileLooks
const looksTurned = prepared(
  { file_rid: fileLooks.file_rid, width, height, thumbhash },
  (db, { file_rid, ...given }) =>
    db.update(fileLooks).set(given).where(eq(fileLooks.file_rid, file_rid)),
)
const rotated = prepared(
  { file_rid: fileDetails.file_rid, rotation: fileDetails.rotation },
  (db, { file_rid, ...given }) =>
    db.update(fileDetails).set(given).where(eq(fileDetails.file_rid, file_rid)),
)

/**
 * Turns a file clockwise, from one rotation to another, with its looks. Its hashes are those of another picture from now
 * on, and are owed.
 */
export function turnFile(
  tx: Tx,
  file_rid: number,
  { from, to }: { from: Rotation; to: Rotation },
): void {
  rotated.run(tx, { file_rid, rotation: to })
  const looks = looksOf.get(tx, { file_rid })
  if (looks) {
    const turn = ((to - from + 360) % 360) as Rotation
    const { width, height, thumbhash } = turnedLooks(looks, turn)
    looksTurned.run(tx, { file_rid, width, height, thumbhash })
  }
  oweHashes(tx, file_rid)
}

const unhashed = prepared({ rid: files.rid }, (db, { rid }) =>
  db.update(files).set({ phash: null }).where(eq(files.rid, rid)),
)
const unfined = prepared({ file_rid: finerHashes.file_rid }, (db, { file_rid }) =>
  db.delete(finerHashes).where(eq(finerHashes.file_rid, file_rid)),
)
const owed = prepared({ file_rid: owedWork.file_rid }, (db, { file_rid }) =>
  db.insert(owedWork).values({ file_rid, work: WORK }).onConflictDoNothing(),
)

/** Removes the hashes of a file, which are to be made of its thumbnail as it is turned. */
export function oweHashes(tx: Tx, file_rid: number): void {
  unhashed.run(tx, { rid: file_rid })
  unfined.run(tx, { file_rid })
  owed.run(tx, { file_rid })
}

const paid = prepared({ file_rid: owedWork.file_rid }, (db, { file_rid }) =>
  db.delete(owedWork).where(and(eq(owedWork.file_rid, file_rid), eq(owedWork.work, WORK))),
)

/** Records that the hashes of a file are no longer owed. */
export function payHashes(tx: Tx, file_rid: number): void {
  paid.run(tx, { file_rid })
}

const owing = prepared({ after: owedWork.file_rid }, (db, given) => {
  const { rid, mime_type } = files
  const { blob, rotation } = fileDetails
  return reading({ rid, mime_type, blob, rotation }, (fields) =>
    db
      .select(fields)
      .from(owedWork)
      // While nothing was owed, as is usual, the planner would begin with all files.
      .crossJoin(files)
      .crossJoin(fileDetails)
      .where(
        and(
          eq(owedWork.work, WORK),
          gt(owedWork.file_rid, given.after),
          eq(files.rid, owedWork.file_rid),
          eq(fileDetails.file_rid, owedWork.file_rid),
        ),
      )
      .orderBy(asc(owedWork.file_rid))
      .limit(1),
  )
})

/** A file whose hashes are to be made because it was turned. */
export interface TurnedFile
  extends Pick<typeof files.$inferSelect, 'rid' | 'mime_type'>,
    Pick<typeof fileDetails.$inferSelect, 'blob' | 'rotation'> {}

/** Returns the first file above a row number whose hashes are owed. */
export function nextTurned(db: Db, after: number): TurnedFile | undefined {
  return owing.get(db, { after })
}
