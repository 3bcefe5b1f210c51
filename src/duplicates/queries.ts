import { and, eq, getTableColumns, gt, lte, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { preparedWithAccess } from '../acl/access.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { asLimit, prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { cacheVersions } from '../db/schema/caches.ts'
import {
  duplicateDismissals,
  duplicateMembers,
  duplicatePairs,
  duplicateScans,
} from '../db/schema/duplicates.ts'
import { files } from '../db/schema/files.ts'
import { poolFiles, pools } from '../db/schema/pools.ts'
import type { Tx } from '../db/write.ts'

const version = prepared({}, (db) =>
  reading({ version: cacheVersions.version }, (fields) =>
    db.select(fields).from(cacheVersions).where(eq(cacheVersions.name, 'duplicates')),
  ),
)

/** Returns a number that changes with the scan, the dismissals, the rights and the trash. */
export function duplicatesVersion(db: Db): number {
  return version.get(db, {})!.version
}

/** Returns the number of the current scan, if there is one. */
export function currentScan(db: Db): number | undefined {
  return db.first(
    reading({ id: duplicateScans.id }, (fields) =>
      db.select(fields).from(duplicateScans).where(eq(duplicateScans.is_current, true)),
    ),
  )?.id
}

// How many rows of a scan are read at once: it may have millions.
const STRETCH = 2000

const memberAfter = prepared(
  { scan: duplicateMembers.scan_id, after: duplicateMembers.file_rid, passed: 'number' },
  (db, given) =>
    reading({ file_rid: duplicateMembers.file_rid }, (fields) =>
      db
        .select(fields)
        .from(duplicateMembers)
        .where(
          and(eq(duplicateMembers.scan_id, given.scan), gt(duplicateMembers.file_rid, given.after)),
        )
        .orderBy(duplicateMembers.file_rid)
        .limit(1)
        .offset(given.passed as unknown as number),
    ),
)

const members = preparedWithAccess(
  'file',
  {
    scan: duplicateMembers.scan_id,
    after: duplicateMembers.file_rid,
    last: duplicateMembers.file_rid,
  },
  (db, given, allowed) =>
    reading(
      {
        group: sql<number>`${duplicateMembers.group_id}`.as('group'),
        rid: files.rid,
      },
      (fields) =>
        db
          .select(fields)
          .from(duplicateMembers)
          .crossJoin(files)
          .where(
            and(
              eq(files.rid, duplicateMembers.file_rid),
              eq(duplicateMembers.scan_id, given.scan),
              gt(duplicateMembers.file_rid, given.after),
              lte(duplicateMembers.file_rid, given.last),
              eq(files.phash, duplicateMembers.phash),
              eq(files.is_deleted, false),
              allowed.sql,
            ),
          )
          .orderBy(duplicateMembers.file_rid),
    ),
)

/**
 * Yields the files of a scan that the viewer may view, that aren't in the trash and that still have their hash, by
 * their row numbers, stretch by stretch.
 */
export function* scanMembers(
  db: Db,
  viewer: User,
  scan: number,
): Generator<{ group: number; rid: number }[]> {
  for (let after = 0; ; ) {
    const end = memberAfter.get(db, { scan, after, passed: STRETCH - 1 })
    const last = end?.file_rid ?? Number.MAX_SAFE_INTEGER
    yield members(viewer, 'view').all(db, { scan, after, last, user: viewer.id })
    if (!end) return
    after = last
  }
}

const pairs = prepared(
  {
    scan: duplicatePairs.scan_id,
    a: duplicatePairs.group_a,
    b: duplicatePairs.group_b,
    limit: 'number',
  },
  (db, given) =>
    reading(
      {
        a: sql<number>`${duplicatePairs.group_a}`.as('a'),
        b: sql<number>`${duplicatePairs.group_b}`.as('b'),
        distance: duplicatePairs.distance,
      },
      (fields) =>
        db
          .select(fields)
          .from(duplicatePairs)
          .where(
            and(
              eq(duplicatePairs.scan_id, given.scan),
              sql`(${duplicatePairs.group_a}, ${duplicatePairs.group_b}) > (${given.a}, ${given.b})`,
            ),
          )
          .orderBy(duplicatePairs.group_a, duplicatePairs.group_b)
          .limit(asLimit(given.limit)),
    ),
)

/** Yields the pairs of groups of a scan in their order, stretch by stretch. */
export function* scanPairs(
  db: Db,
  scan: number,
): Generator<{ a: number; b: number; distance: number }[]> {
  for (let [a, b] = [-1, -1]; ; ) {
    const stretch = pairs.all(db, { scan, a, b, limit: STRETCH })
    yield stretch
    const last = stretch.at(-1)
    if (!last || stretch.length < STRETCH) return
    ;[a, b] = [last.a, last.b]
  }
}

// The smaller row number comes first.
type Dismissal = typeof duplicateDismissals.$inferSelect

/** The other files of each file that is in a dismissed pair. */
export type Dismissed = ReadonlyMap<number, ReadonlySet<number>>

/** Returns the files that were dismissed as pairs. */
export function dismissedPairs(db: Db): Dismissed {
  const others = new Map<number, Set<number>>()
  const add = (file: number, other: number) => {
    const known = others.get(file)
    if (known) known.add(other)
    else others.set(file, new Set([other]))
  }
  for (const { file_rid_a, file_rid_b } of db.rows(
    reading(getTableColumns(duplicateDismissals), (fields) =>
      db.select(fields).from(duplicateDismissals),
    ),
  )) {
    add(file_rid_a, file_rid_b)
    add(file_rid_b, file_rid_a)
  }
  return others
}

/** Writes that two files are dismissed as a pair; false when they already were. */
export function insertDismissal(tx: Tx, pair: Dismissal): boolean {
  return tx.execute(tx.insert(duplicateDismissals).values(pair).onConflictDoNothing()) === 1
}

const visible = preparedWithAccess('file', { rids: 'text' }, (db, given, allowed) =>
  reading({ rid: files.rid }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.rids}) AS j`)
      .crossJoin(files)
      .where(and(eq(files.rid, sql`j.value`), eq(files.is_deleted, false), allowed.sql))
      .orderBy(sql`j.key`),
  ),
)

/** Returns the files that the viewer may view and that aren't in the trash, in the given order. */
export function stillVisible(db: Db, viewer: User, rids: number[]): number[] {
  const values = { rids: JSON.stringify(rids), user: viewer.id }
  return visible(viewer, 'view')
    .all(db, values)
    .map((file) => file.rid)
}

const without = prepared({ file_rid: files.rid, other_rid: files.rid }, (db, given) => {
  const held = alias(poolFiles, 'held')
  const other = db
    .select({ rid: sql`${held.file_rid}` })
    .from(held)
    .where(and(eq(held.pool_rid, poolFiles.pool_rid), eq(held.file_rid, given.other_rid)))
  return reading(
    {
      pool_rid: poolFiles.pool_rid,
      pool_id: pools.id,
      order_key: poolFiles.order_key,
    },
    (fields) =>
      db
        .select(fields)
        .from(poolFiles)
        .innerJoin(pools, eq(pools.rid, poolFiles.pool_rid))
        .where(
          and(
            eq(poolFiles.file_rid, given.file_rid),
            eq(pools.is_deleted, false),
            notExists(other),
          ),
        ),
  )
})

/** Returns where a file is in the pools that another file is not in. */
export function placesWithout(
  db: Db,
  file_rid: number,
  other_rid: number,
): { pool_rid: number; pool_id: string; order_key: number }[] {
  return without.all(db, { file_rid, other_rid })
}
