import { asc, count, eq, gt, inArray } from 'drizzle-orm'
import type { Damage } from '../../base/enums.ts'
import type { Db } from '../../db/client.ts'
import { asLimit, prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { fileDetails, files } from '../../db/schema/files.ts'
import { damages, scrub } from '../../db/schema/library.ts'
import { listed } from '../../db/sql.ts'
import type { Tx } from '../../db/write.ts'
import type { StoredContent } from '../../files/content/content-queries.ts'

// Progress of reading all contents; times are in milliseconds since 1970-01-01 UTC.
interface Scrub {
  begun_at: number
  /** The last blob that the round has reached; null when it is over. */
  place: string | null
  /** When the last whole round ended, or null. */
  ended_at: number | null
}

/** Returns the progress of reading all contents, or undefined before the first round. */
export function findScrub(db: Db): Scrub | undefined {
  const { begun_at, place, ended_at } = scrub
  return db.first(reading({ begun_at, place, ended_at }, (fields) => db.select(fields).from(scrub)))
}

export function beginRound(tx: Tx): void {
  const row = { begun_at: tx.now, place: '' }
  const insert = tx.insert(scrub).values({ id: 1, ...row })
  tx.execute(insert.onConflictDoUpdate({ target: scrub.id, set: row }))
}

export function storePlace(tx: Tx, place: string): void {
  tx.execute(tx.update(scrub).set({ place }))
}

export function endRound(tx: Tx): void {
  tx.execute(tx.update(scrub).set({ place: null, ended_at: tx.now }))
}

export function countDamages(db: Db): number {
  return db.first(reading({ count: count() }, (fields) => db.select(fields).from(damages)))!.count
}

const damaged = prepared({ after: 'text', limit: 'number' }, (db, given) => {
  const { blob, size, sha256 } = fileDetails
  return reading({ blob, size, sha256 }, (fields) =>
    db
      .select(fields)
      .from(damages)
      .innerJoin(fileDetails, eq(blob, damages.blob))
      .where(gt(damages.blob, given.after))
      .orderBy(asc(damages.blob))
      .limit(asLimit(given.limit)),
  )
})

/** Returns the first damaged contents after a blob, with the size and digest that they should have. */
export function listDamaged(db: Db, page: { after: string; limit: number }): StoredContent[] {
  return damaged
    .all(db, page)
    .map((row) => ({ ...row, sha256: Buffer.from(row.sha256).toString('hex') }))
}

/** Returns the file of a content, or undefined when no file has it any more. */
export function findOwner(
  tx: Tx,
  blob: string,
): { id: string; original_name: string | null } | undefined {
  return tx.first(
    reading({ id: files.id, original_name: files.original_name }, (fields) =>
      tx
        .select(fields)
        .from(fileDetails)
        .innerJoin(files, eq(files.rid, fileDetails.file_rid))
        .where(eq(fileDetails.blob, blob)),
    ),
  )
}

/** Records damage to a content, and returns whether the damage is new. */
export function recordDamage(tx: Tx, blob: string, what: Damage): boolean {
  const row = tx.insert(damages).values({ blob, what, found_at: tx.now })
  const isNew = tx.execute(row.onConflictDoNothing()) > 0
  if (!isNew) tx.execute(tx.update(damages).set({ what }).where(eq(damages.blob, blob)))
  return isNew
}

const healed = prepared({ blobs: 'text' }, (db, given) =>
  db.delete(damages).where(inArray(damages.blob, listed(given.blobs))),
)

/** Records that contents are not damaged. */
export function deleteDamages(tx: Tx, blobs: string[]): void {
  healed.run(tx, { blobs: JSON.stringify(blobs) })
}
