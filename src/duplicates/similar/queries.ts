import { and, eq, exists, gt, gte, isNotNull, max, ne, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { preparedWithAccess } from '../../acl/access.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { type Given, prepared } from '../../db/prepared.ts'
import { decoded, reading } from '../../db/reading.ts'
import { phashChanges } from '../../db/schema/caches.ts'
import { files } from '../../db/schema/files.ts'

/** Number of rows read at a time. */
export const SLICE = 2000

const FILES_BY_HASH = sql`${files} INDEXED BY files_phash`

/** A hash in two halves, because the drivers round it; the low one is unsigned. */
export interface Halves {
  hi: number
  lo: number
}

const halvesOf = <Half extends number | null>(phash: SQLiteColumn) => ({
  hi: sql<Half>`${phash} >> 32`.as('hi'),
  lo: sql<Half>`${phash} & 4294967295`.as('lo'),
})

/** Returns the row number of the newest file and the number of the newest change; 0 for none. */
export function newest(db: Db): { rid: number; seq: number } {
  const file = db.first(reading({ rid: max(files.rid) }, (fields) => db.select(fields).from(files)))
  const change = db.first(
    reading({ seq: max(phashChanges.seq) }, (fields) => db.select(fields).from(phashChanges)),
  )
  return { rid: file?.rid ?? 0, seq: change?.seq ?? 0 }
}

const hashesBeyond = (isBeyond: typeof gt) =>
  prepared({ hi: 'number', lo: 'number' }, (db, { hi, lo }) =>
    reading(halvesOf<number>(files.phash), (fields) =>
      db
        .select(fields)
        .from(FILES_BY_HASH)
        .where(and(isNotNull(files.phash), isBeyond(files.phash, sql`((${hi} << 32) | ${lo})`)))
        .groupBy(files.phash)
        .orderBy(files.phash)
        .limit(SLICE),
    ),
  )
const firstHashes = hashesBeyond(gte)
const nextHashes = hashesBeyond(gt)

/** Returns a slice of the different hashes of the files, ascending, after the last one of another slice. */
export function listHashes(db: Db, after: Halves | null): Halves[] {
  return after ? nextHashes.all(db, after) : firstHashes.all(db, { hi: -(2 ** 31), lo: 0 })
}

const changesAfter = prepared({ seq: phashChanges.seq }, (db, given) => {
  const live = db.select({ rid: files.rid }).from(files)
  const isLive = exists(live.where(eq(files.phash, phashChanges.phash)))
  return reading(
    {
      seq: phashChanges.seq,
      ...halvesOf<number>(phashChanges.phash),
      isLive: decoded(sql`${isLive}`, Boolean),
    },
    (fields) =>
      db
        .select(fields)
        .from(phashChanges)
        .where(gt(phashChanges.seq, given.seq))
        .orderBy(phashChanges.seq)
        .limit(SLICE),
  )
})

/** Returns a slice of the changes of hashes, the oldest first, and whether a file has each hash now. */
export function listChanges(db: Db, after: number): ({ seq: number; isLive: boolean } & Halves)[] {
  return changesAfter.all(db, { seq: after })
}

const filesAfter = prepared({ rid: files.rid }, (db, given) =>
  reading({ rid: files.rid, ...halvesOf<number | null>(files.phash) }, (fields) =>
    db.select(fields).from(files).where(gt(files.rid, given.rid)).orderBy(files.rid).limit(SLICE),
  ),
)

/** Returns a slice of the files, the oldest first; the halves are null for one without a hash. */
export function listNewFiles(
  db: Db,
  after: number,
): ({ rid: number } & { [Half in keyof Halves]: number | null })[] {
  return filesAfter.all(db, { rid: after })
}

/** Removes all changes of hashes; a tree that has not read them yet would miss them. */
export function removeHashChanges(db: Db): void {
  db.execute(db.delete(phashChanges))
}

// `except` is the row number of a file that is left out.
interface Wanted {
  viewer: User
  except: number | null
  limit: number
}

const WANTED = { except: files.rid, limit: 'number' } as const

const isWanted = ({ except }: Given<typeof WANTED>, allowed: SQL.Aliased<boolean>) =>
  and(eq(files.is_deleted, false), ne(files.rid, except), allowed.sql)

// No file has the row number 0.
const valuesOf = ({ viewer, except, limit }: Wanted) => ({
  except: except ?? 0,
  limit,
  user: viewer.id,
})

// Drizzle also limits by an expression, but its types don't say so.
const limitOf = ({ limit }: Given<typeof WANTED>) => limit as unknown as number

const placesSeen = preparedWithAccess(
  'file',
  { ...WANTED, hashes: 'text' },
  (db, given, allowed) => {
    const hasHash = eq(files.phash, sql`CAST(j.value AS INTEGER)`)
    const seen = db
      .select({ rid: sql`${files.rid}` })
      .from(FILES_BY_HASH)
      .where(and(hasHash, isWanted(given, allowed)))
    return reading({ place: sql<number>`j.key`.as('place') }, (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.hashes}) AS j`)
        .where(exists(seen))
        .orderBy(sql`j.key`)
        .limit(limitOf(given)),
    )
  },
)

/** Returns the places, in the list, of those hashes that wanted files have. */
export function listPlacesSeen(db: Db, wanted: Wanted, hashes: string[]): number[] {
  return placesSeen(wanted.viewer, 'view')
    .all(db, { ...valuesOf(wanted), hashes: JSON.stringify(hashes) })
    .map((row) => row.place)
}

const filesWith = preparedWithAccess(
  'file',
  { ...WANTED, phash: files.phash },
  (db, given, allowed) =>
    reading({ rid: sql<number>`${files.rid}`.as('rid') }, (fields) =>
      db
        .select(fields)
        .from(FILES_BY_HASH)
        .where(and(eq(files.phash, sql`CAST(${given.phash} AS INTEGER)`), isWanted(given, allowed)))
        .orderBy(files.rid)
        .limit(limitOf(given)),
    ),
)

/** Returns the wanted files that have a hash, the oldest first. */
export function listFilesWith(db: Db, wanted: Wanted, phash: string): number[] {
  return filesWith(wanted.viewer, 'view')
    .all(db, { ...valuesOf(wanted), phash })
    .map((file) => file.rid)
}
