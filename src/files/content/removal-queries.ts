import { and, asc, eq, gt, inArray, lte, not, notExists, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { asLimit, prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { keptGenerations, removals } from '../../db/schema/library.ts'
import { listed } from '../../db/sql.ts'
import type { Tx } from '../../db/write.ts'

// Whether no kept generation may name a content.
const isUnnamed = (db: Db): SQL =>
  notExists(
    db
      .select({ one: sql`1` })
      .from(keptGenerations)
      .where(lte(keptGenerations.made_at, removals.not_before)),
  )

const first = prepared({ after: 'text', limit: 'number' }, (db, given) =>
  reading({ blob: removals.blob }, (fields) =>
    db
      .select(fields)
      .from(removals)
      .where(and(gt(removals.blob, given.after), isUnnamed(db)))
      .orderBy(asc(removals.blob))
      .limit(asLimit(given.limit)),
  ),
)

/** Returns the blobs after `after` that can be removed, in order. */
export function listRemovals(db: Db, page: { after: string; limit: number }): string[] {
  return first.all(db, page).map(({ blob }) => blob)
}

const added = prepared({ blob: 'text' }, (db, { blob }) =>
  db.insert(removals).values({ blob }).onConflictDoNothing(),
)

/** Records that a content which no row names is to be removed. Triggers do that for those of rows that go. */
export function addRemoval(tx: Tx, blob: string): void {
  added.run(tx, { blob })
}

const among = prepared({ blobs: 'text' }, (db, given) =>
  reading({ blob: removals.blob }, (fields) =>
    db
      .select(fields)
      .from(removals)
      .where(and(inArray(removals.blob, listed(given.blobs)), isUnnamed(db))),
  ),
)

/** Returns those of these blobs that can be removed. */
export function removable(db: Db, blobs: string[]): string[] {
  return among.all(db, { blobs: JSON.stringify(blobs) }).map(({ blob }) => blob)
}

const held = prepared({ blobs: 'text' }, (db, given) =>
  reading({ blob: removals.blob }, (fields) =>
    db
      .select(fields)
      .from(removals)
      .where(and(inArray(removals.blob, listed(given.blobs)), not(isUnnamed(db)))),
  ),
)

/** Returns those of these blobs that are to be removed, but not while a kept generation may name them. */
export function keptFromRemoval(db: Db, blobs: string[]): string[] {
  return held.all(db, { blobs: JSON.stringify(blobs) }).map(({ blob }) => blob)
}

const one = prepared({ blob: 'text' }, (db, given) =>
  reading({ blob: removals.blob }, (fields) =>
    db.select(fields).from(removals).where(eq(removals.blob, given.blob)),
  ),
)

/** Returns whether a content is to be removed, at once or later. */
export function isToBeRemoved(db: Db, blob: string): boolean {
  return one.get(db, { blob }) !== undefined
}

const done = prepared({ blobs: 'text' }, (db, given) =>
  db.delete(removals).where(inArray(removals.blob, listed(given.blobs))),
)

/** Records that contents have been removed. */
export function deleteRemovals(tx: Tx, blobs: string[]): void {
  done.run(tx, { blobs: JSON.stringify(blobs) })
}
