import { and, inArray, isNotNull, lt } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { asLimit, prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { files } from '../db/schema/files.ts'
import { library } from '../db/schema/library.ts'
import { listed } from '../db/sql.ts'
import type { Tx } from '../db/write.ts'

const { passed_at, steady_since } = library

// The last pass over retained data, and since when there was one each day; null before the first.
type Passes = Pick<typeof library.$inferSelect, 'passed_at' | 'steady_since'>

const passes = prepared({}, (db) =>
  reading({ passed_at, steady_since }, (fields) => db.select(fields).from(library)),
)

/** Returns the times of the passes over retained data. */
export function findPasses(db: Db): Passes {
  return passes.get(db, {}) ?? { passed_at: null, steady_since: null }
}

const passed = prepared({ passed_at, steady_since }, (db, given) => db.update(library).set(given))

/** Stores the times of the passes over retained data. */
export function setPasses(tx: Tx, now: Passes): void {
  passed.run(tx, now)
}

const trashedBefore = prepared({ time: files.trashed_at, limit: 'number' }, (db, given) =>
  reading({ rid: files.rid, id: files.id, trashed_at: files.trashed_at }, (fields) =>
    db
      .select(fields)
      .from(files)
      .where(and(isNotNull(files.trashed_at), lt(files.trashed_at, given.time)))
      .limit(asLimit(given.limit)),
  ),
)

/** Returns some of the files that have been in the trash since before a time. */
export function listTrashedBefore(
  db: Db,
  page: { time: number; limit: number },
): { rid: number; id: string; trashed_at: number }[] {
  return trashedBefore.all(db, page).map((row) => ({ ...row, trashed_at: row.trashed_at! }))
}

const trashedNow = prepared({ files: 'text', now: files.trashed_at }, (db, given) =>
  db
    .update(files)
    .set({ trashed_at: given.now })
    .where(inArray(files.rid, listed(given.files))),
)

/** Sets the time at which files went to the trash to now. */
export function setTrashedNow(tx: Tx, rids: number[]): void {
  if (rids.length > 0) trashedNow.run(tx, { files: JSON.stringify(rids), now: tx.now })
}
