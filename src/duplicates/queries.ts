import { and, eq, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { preparedWithAccess } from '../acl/access.ts'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
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
import type { User } from '../user.ts'

const version = prepared({}, (db) =>
  db
    .select({ version: cacheVersions.version })
    .from(cacheVersions)
    .where(eq(cacheVersions.name, 'duplicates')),
)

/** Returns a number that changes with the scan, the dismissals, the rights and the trash. */
export function duplicatesVersion(db: Db): number {
  return version.get(db, {})!.version
}

/** Returns the number of the current scan, if there was one. */
export function currentScan(db: Db): number | undefined {
  return db
    .select({ id: duplicateScans.id })
    .from(duplicateScans)
    .where(eq(duplicateScans.is_current, true))
    .get()?.id
}

// A scan may have millions of rows, which a prepared query reads more quickly.
const members = preparedWithAccess(
  'file',
  { scan: duplicateMembers.scan_id },
  (db, given, allowed) =>
    db
      .select({
        group: sql<number>`${duplicateMembers.group_id}`.as('group'),
        rid: files.rid,
      })
      .from(duplicateMembers)
      .crossJoin(files)
      .where(
        and(
          eq(files.rid, duplicateMembers.file_rid),
          eq(duplicateMembers.scan_id, given.scan),
          eq(files.phash, duplicateMembers.phash),
          eq(files.is_deleted, false),
          allowed.sql,
        ),
      )
      .orderBy(duplicateMembers.group_id, files.rid),
)

/**
 * Returns the files of a scan that the viewer may view, that aren't in the trash and that still have
 * their hash, ordered by group and file.
 */
export function visibleMembers(
  db: Db,
  viewer: User,
  scan: number,
): { group: number; rid: number }[] {
  return members(viewer, 'view').all(db, { scan, user: viewer.id })
}

const pairs = prepared({ scan: duplicatePairs.scan_id }, (db, given) =>
  db
    .select({
      a: sql<number>`${duplicatePairs.group_a}`.as('a'),
      b: sql<number>`${duplicatePairs.group_b}`.as('b'),
      distance: duplicatePairs.distance,
    })
    .from(duplicatePairs)
    .where(eq(duplicatePairs.scan_id, given.scan)),
)

/** Returns the pairs of groups of a scan. */
export function scanPairs(db: Db, scan: number): { a: number; b: number; distance: number }[] {
  return pairs.all(db, { scan })
}

/** Two files that were dismissed as a pair, the smaller row number first. */
type Dismissal = typeof duplicateDismissals.$inferSelect

/** The other files of each file that is in a pair that was dismissed. */
export type Dismissed = ReadonlyMap<number, ReadonlySet<number>>

/** Returns the files that were dismissed as pairs. */
export function dismissedPairs(db: Db): Dismissed {
  const others = new Map<number, Set<number>>()
  const add = (file: number, other: number) => {
    const known = others.get(file)
    if (known) known.add(other)
    else others.set(file, new Set([other]))
  }
  for (const { file_rid_a, file_rid_b } of db.select().from(duplicateDismissals).all()) {
    add(file_rid_a, file_rid_b)
    add(file_rid_b, file_rid_a)
  }
  return others
}

/** Writes that two files are dismissed as a pair; false when they already were. */
export function insertDismissal(tx: Tx, pair: Dismissal): boolean {
  return tx.changes(tx.insert(duplicateDismissals).values(pair).onConflictDoNothing()) === 1
}

const visible = preparedWithAccess('file', { rids: 'text' }, (db, given, allowed) =>
  db
    .select({ rid: files.rid })
    .from(sql`json_each(${given.rids}) AS j`)
    .crossJoin(files)
    .where(and(eq(files.rid, sql`j.value`), eq(files.is_deleted, false), allowed.sql))
    .orderBy(sql`j.key`),
)

/** Returns those of the files that the viewer may view and that aren't in the trash, in their order. */
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
  return db
    .select({
      pool_rid: poolFiles.pool_rid,
      pool_id: sql<string>`${pools.id}`.mapWith(pools.id).as('pool_id'),
      order_key: poolFiles.order_key,
    })
    .from(poolFiles)
    .innerJoin(pools, eq(pools.rid, poolFiles.pool_rid))
    .where(and(eq(poolFiles.file_rid, given.file_rid), notExists(other)))
})

/** Returns where a file is in the pools that another file is not in. */
export function placesWithout(
  db: Db,
  file_rid: number,
  other_rid: number,
): { pool_rid: number; pool_id: string; order_key: number }[] {
  return without.all(db, { file_rid, other_rid })
}
