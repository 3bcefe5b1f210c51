import {
  and,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  isNotNull,
  lt,
  max,
  min,
  or,
} from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { backgroundWork } from '../db/schema/background.ts'
import { files } from '../db/schema/files.ts'
import type { Tx } from '../db/write.ts'
import { type Kind, PORTION } from './kind.ts'
import { removeAllOwed } from './owed-queries.ts'

const STRETCH = 2000

/** The progress of a kind of work. */
export type Work = typeof backgroundWork.$inferSelect

const byName = prepared({ name: backgroundWork.name }, (db, given) =>
  reading(getTableColumns(backgroundWork), (fields) =>
    db.select(fields).from(backgroundWork).where(eq(backgroundWork.name, given.name)),
  ),
)

/** Returns the progress of a kind of work, or undefined before it has begun. */
export function findWork(db: Db, name: string): Work | undefined {
  return byName.get(db, { name })
}

/** Records that a kind of work begins, with the newest file, and returns its progress. */
export function beginWork(
  tx: Tx,
  work: Pick<Work, 'name' | 'version' | 'total' | 'operation'>,
): Work {
  const { newest } = tx.first(
    reading({ newest: max(files.rid) }, (fields) => tx.select(fields).from(files)),
  )!
  const place = newest === null ? null : newest + 1
  const begun = { ...work, place, looked_at: 0, due: null }
  removeAllOwed(tx, work.name)
  tx.execute(
    tx
      .insert(backgroundWork)
      .values(begun)
      .onConflictDoUpdate({ target: backgroundWork.name, set: begun }),
  )
  return begun
}

const passedFiles = prepared({ from: files.rid, to: files.rid }, (db, given) =>
  reading({ files: count().as('files') }, (fields) =>
    db
      .select(fields)
      .from(files)
      .where(and(gte(files.rid, given.from), lt(files.rid, given.to))),
  ),
)
const moved = prepared(
  {
    name: backgroundWork.name,
    place: backgroundWork.place,
    looked_at: backgroundWork.looked_at,
    operation: backgroundWork.operation,
    due: backgroundWork.due,
  },
  (db, { name, ...given }) =>
    db.update(backgroundWork).set(given).where(eq(backgroundWork.name, name)),
)

/** Returns the progress of a kind of work that has reached a place; null when it is finished. */
export function workAt(db: Db, work: Work, place: number | null): Work {
  const passed = passedFiles.get(db, { from: place ?? 0, to: work.place ?? 0 })!.files
  return { ...work, place, looked_at: work.looked_at + passed }
}

/** Stores the progress of a kind of work. */
export function moveWork(tx: Tx, work: Work): void {
  moved.run(tx, work)
}

/** Returns whether a kind of work continues an operation. */
export function goesOnWith(db: Db, operation: number): boolean {
  const { name, place, due } = backgroundWork
  const isUnderWay = or(isNotNull(place), isNotNull(due))
  const going = and(eq(backgroundWork.operation, operation), isUnderWay)
  return (
    db.first(reading({ name }, (fields) => db.select(fields).from(backgroundWork).where(going))) !==
    undefined
  )
}

const stretches = prepared({ place: files.rid }, (db, given) => {
  const stretch = db
    .select({ rid: files.rid })
    .from(files)
    .where(lt(files.rid, given.place))
    .orderBy(desc(files.rid))
    .limit(STRETCH)
    .as('stretch')
  return reading({ least: min(stretch.rid).as('least'), files: count().as('files') }, (fields) =>
    db.select(fields).from(stretch),
  )
})

/**
 * Returns the next files below a place that lack what a kind of work adds, at most a portion and perhaps none; and the
 * place after them, null when there are no more files.
 */
export function listNext<File extends { rid: number }>(
  db: Db,
  { list }: Kind<File>,
  { place, version }: { place: number; version: string },
): { files: File[]; end: number | null } {
  const { least, files: length } = stretches.get(db, { place })!
  if (least === null) return { files: [], end: null }
  const found = list(db, { place, least, version })
  if (found.length === PORTION) return { files: found, end: found.at(-1)!.rid }
  return { files: found, end: length < STRETCH ? null : least }
}
