import { asc, count, eq, gt, inArray } from 'drizzle-orm'
import type { Damage } from '../../base/enums.ts'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { fileDetails, files } from '../../db/schema/files.ts'
import { damages, scrub } from '../../db/schema/library.ts'
import { listed } from '../../db/sql.ts'
import type { Tx } from '../../db/write.ts'
import type { StoredContent } from '../../files/content/content-queries.ts'

/** How far all contents have been read again; times are in milliseconds since 1970-01-01 UTC. */
interface Scrub {
  begun_at: number
  /** The last blob that the round has come to; null when it is over. */
  place: string | null
  /** When the last whole round ended, or null. */
  ended_at: number | null
}

/** Returns how far all contents have been read again, or undefined before the first round. */
export function findScrub(db: Db): Scrub | undefined {
  const { begun_at, place, ended_at } = scrub
  return db.select({ begun_at, place, ended_at }).from(scrub).get()
}

/** Notes that a round begins. */
export function beginRound(tx: Tx): void {
  const row = { begun_at: tx.now, place: '' }
  const insert = tx.insert(scrub).values({ id: 1, ...row })
  insert.onConflictDoUpdate({ target: scrub.id, set: row }).run()
}

/** Notes how far a round is. */
export function keepPlace(tx: Tx, place: string): void {
  tx.update(scrub).set({ place }).run()
}

/** Notes that a round has come to its end. */
export function endRound(tx: Tx): void {
  tx.update(scrub).set({ place: null, ended_at: tx.now }).run()
}

/** Returns how many contents are known to be damaged. */
export function countDamages(db: Db): number {
  return db.select({ count: count() }).from(damages).get()!.count
}

const damaged = prepared({ after: 'text', limit: 'number' }, (db, given) => {
  const { blob, size, sha256 } = fileDetails
  return db
    .select({ blob, size, sha256 })
    .from(damages)
    .innerJoin(fileDetails, eq(blob, damages.blob))
    .where(gt(damages.blob, given.after))
    .orderBy(asc(damages.blob))
    .limit(given.limit as unknown as number)
})

/** Returns the first contents behind a blob that are known to be damaged, as they should be. */
export function listDamaged(db: Db, page: { after: string; limit: number }): StoredContent[] {
  return damaged
    .all(db, page)
    .map((row) => ({ ...row, sha256: Buffer.from(row.sha256).toString('hex') }))
}

/** Returns whose content that is, or undefined when it is of no file any more. */
export function findOwner(
  tx: Tx,
  blob: string,
): { id: string; original_name: string | null } | undefined {
  return tx
    .select({ id: files.id, original_name: files.original_name })
    .from(fileDetails)
    .innerJoin(files, eq(files.rid, fileDetails.file_rid))
    .where(eq(fileDetails.blob, blob))
    .get()
}

/** Notes what is wrong with a content, and returns whether nothing was known to be. */
export function recordDamage(tx: Tx, blob: string, what: Damage): boolean {
  const row = tx.insert(damages).values({ blob, what, found_at: tx.now })
  const isNew = tx.changes(row.onConflictDoNothing()) > 0
  if (!isNew) tx.update(damages).set({ what }).where(eq(damages.blob, blob)).run()
  return isNew
}

const healed = prepared({ blobs: 'text' }, (db, given) =>
  db.delete(damages).where(inArray(damages.blob, listed(given.blobs))),
)

/** Notes that contents are as they should be. */
export function deleteDamages(tx: Tx, blobs: string[]): void {
  healed.run(tx, { blobs: JSON.stringify(blobs) })
}
