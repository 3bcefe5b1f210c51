import { and, count, eq, getTableColumns, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { accessCondition, preparedWithAccess, type Right, requireAllowed } from '../acl/access.ts'
import { seenNow } from '../auth/seen-now.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { type NamedListRequest, namedList } from '../db/named-list.ts'
import { stateOf } from '../db/per-connection.ts'
import { asLimit, prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { files } from '../db/schema/files.ts'
import { poolFiles, pools } from '../db/schema/pools.ts'
import { users } from '../db/schema/users.ts'
import { asSql } from '../db/sql.ts'
import { fold } from '../db/text.ts'
import type { Tx } from '../db/write.ts'
import { question } from '../reader/question.ts'

/** A pool as it is loaded; `metadata` is JSON text. */
export interface PoolRecord extends Omit<typeof pools.$inferSelect, 'name_key' | 'is_deleted'> {
  creator_name: string
}

const { name_key: _, is_deleted, ...COLUMNS } = getTableColumns(pools)
const POOL = { ...COLUMNS, creator_name: users.name }

const loadedBy = <Column extends SQLiteColumn>(column: Column) =>
  preparedWithAccess('pool', { value: column }, (db, given, allowed) =>
    reading({ ...POOL, allowed }, (fields) =>
      db
        .select(fields)
        .from(pools)
        .innerJoin(users, eq(users.id, pools.creator_id))
        .where(and(eq(column, given.value), eq(is_deleted, false))),
    ),
  )
const byId = loadedBy(pools.id)
const byRid = loadedBy(pools.rid)

/** Returns a pool that the user has the right to. Throws not_found, or forbidden without it. */
export function loadPool(db: Db, user: User, id: string, right: Right): PoolRecord {
  return requireAllowed(byId(user, right).get(db, { value: id, user: user.id }), 'pool')
}

/** Returns the pool of a row number if the user may edit it, or else null. */
export function findEditablePool(db: Db, user: User, rid: number): PoolRecord | null {
  const { allowed, ...pool } = byRid(user, 'edit').get(db, { value: rid, user: user.id }) ?? {}
  return allowed ? (pool as PoolRecord) : null
}

const made = prepared(
  { creator_id: pools.creator_id, name: pools.name, path: 'text', value: 'text' },
  (db, given) =>
    reading({ id: pools.id }, (fields) =>
      db
        .select(fields)
        .from(pools)
        .where(
          and(
            eq(pools.creator_id, given.creator_id),
            eq(pools.name, given.name),
            eq(pools.is_deleted, false),
            sql`${pools.metadata} ->> ${given.path} = ${given.value}`,
          ),
        )
        .orderBy(pools.rid),
    ),
)

/** Returns the id of the oldest pool of a user with this name and this text under a key of its metadata. */
export function findMadePool(
  db: Db,
  { key, ...pool }: Pick<PoolRecord, 'creator_id' | 'name'> & { key: string; value: string },
): string | undefined {
  return made.get(db, { ...pool, path: `$.${key}` })?.id
}

function naming(token: string): SQL {
  const { filter } = COLUMNS
  return sql`instr(',' || substr(${filter}, 2, length(${filter}) - 2) || ',', ${`,${token},`}) > 0`
}

/**
 * Returns a page of the pools that the viewer may view, or of those whose filter has the token `names` and that the
 * viewer may edit, and their total number.
 */
export function listPools(
  db: Db,
  viewer: User,
  { names, ...query }: NamedListRequest & { names?: string | undefined },
): { rows: PoolRecord[]; total: number } {
  const right = names === undefined ? 'view' : 'edit'
  const allowed = asSql(accessCondition(viewer, 'pool', right, 'pools'))
  return namedList(db, {
    table: pools,
    fields: POOL,
    select: (fields) =>
      db.select(fields).from(pools).innerJoin(users, eq(users.id, pools.creator_id)).$dynamic(),
    visible: and(eq(is_deleted, false), names === undefined ? undefined : naming(names), allowed)!,
    query,
  })
}

const fileCounts = preparedWithAccess('file', { pools: 'text' }, (db, given, allowed) => {
  const inPool = db
    .select({ files: count() })
    .from(poolFiles)
    .crossJoin(files)
    .where(
      and(
        eq(files.rid, poolFiles.file_rid),
        eq(poolFiles.pool_rid, sql`j.value`),
        eq(files.is_deleted, false),
        allowed.sql,
      ),
    )
  return reading(
    {
      pool_rid: sql<number>`j.value`.as('pool_rid'),
      files: sql<number>`${inPool}`.as('files'),
    },
    (fields) => db.select(fields).from(sql`json_each(${given.pools}) AS j`),
  )
})

/** The most files of pools that are checked at once; more are left to the reader. */
const FEW = 2000

type Counts = { pool_rid: number; files: number }[]

function countFew(db: Db, { viewer, pools }: { viewer: User; pools: number[] }): Counts {
  return fileCounts(viewer, 'view').all(db, { pools: JSON.stringify(pools), user: viewer.id })
}

export const countMany = question(
  'overview',
  'poolCounts',
  (db: Db, asked: { viewer: User; pools: number[] }): Counts => countFew(db, seenNow(db, asked)),
)

/** Returns how many files of each pool the viewer may view, not counting trashed ones; of pools without a filter. */
export async function countHeld(
  db: Db,
  viewer: User,
  pools: number[],
): Promise<Map<number, number>> {
  if (pools.length === 0) return new Map()
  const isFew = countInPools(db, pools, FEW + 1) <= FEW
  const counts = isFew ? countFew(db, { viewer, pools }) : await countMany(db, { viewer, pools })
  return new Map(counts.map((row) => [row.pool_rid, row.files]))
}

/** Returns how many files are in these pools, trashed and hidden ones included; counts no further than `most`. */
export function countInPools(db: Db, pools: number[], most = Number.MAX_SAFE_INTEGER): number {
  const first = db
    .select({ file: poolFiles.file_rid })
    .from(poolFiles)
    .where(sql`${poolFiles.pool_rid} IN (SELECT value FROM json_each(${JSON.stringify(pools)}))`)
    .limit(most)
    .as('first')
  return db.first(reading({ files: count() }, (fields) => db.select(fields).from(first)))!.files
}

const held = prepared({ pool: poolFiles.pool_rid, files: 'text' }, (db, given) =>
  reading({ file_rid: poolFiles.file_rid }, (fields) =>
    db
      .select(fields)
      .from(sql`json_each(${given.files}) AS j`)
      .crossJoin(poolFiles)
      .where(and(eq(poolFiles.pool_rid, given.pool), eq(poolFiles.file_rid, sql`j.value`))),
  ),
)

/** Returns those of the files that are in a pool. */
export function filesHeld(db: Db, pool: number, files: number[]): Set<number> {
  const rows = held.all(db, { pool, files: JSON.stringify(files) })
  return new Set(rows.map((row) => row.file_rid))
}

type Keyed = Pick<typeof poolFiles.$inferSelect, 'order_key'> & { rid: number }

const seen = preparedWithAccess(
  'file',
  { pool: poolFiles.pool_rid, ids: 'text' },
  (db, given, allowed) =>
    reading({ rid: files.rid, id: files.id, order_key: poolFiles.order_key }, (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${given.ids}) AS j`)
        .crossJoin(files)
        .crossJoin(poolFiles)
        .where(
          and(
            eq(files.id, sql`unhex(j.value)`),
            eq(poolFiles.pool_rid, given.pool),
            eq(poolFiles.file_rid, files.rid),
            eq(files.is_deleted, false),
            allowed.sql,
          ),
        ),
    ),
)

/** Returns those of the files that are in a pool, that the user may view and that are not in the trash. */
export function seenFiles(
  db: Db,
  user: User,
  pool: number,
  ids: string[],
): (Keyed & { id: string })[] {
  const list = JSON.stringify(ids.map((id) => id.replaceAll('-', '')))
  return seen(user, 'view').all(db, { pool, ids: list, user: user.id })
}

const UP_TO = { pool: poolFiles.pool_rid, order_key: poolFiles.order_key }
const KEYED = { rid: sql<number>`${poolFiles.file_rid}`.as('rid'), order_key: poolFiles.order_key }

const hidden = preparedWithAccess('file', UP_TO, (db, given, allowed) =>
  reading(KEYED, (fields) =>
    db
      .select(fields)
      .from(poolFiles)
      .crossJoin(files)
      .where(
        and(
          eq(files.rid, poolFiles.file_rid),
          eq(poolFiles.pool_rid, given.pool),
          lte(poolFiles.order_key, given.order_key),
          or(eq(files.is_deleted, true), not(allowed.sql)),
        ),
      ),
  ),
)

const countUpTo = prepared({ ...UP_TO, most: 'number' }, (db, { most, ...given }) => {
  const first = db
    .select({ file: poolFiles.file_rid })
    .from(poolFiles)
    .where(and(eq(poolFiles.pool_rid, given.pool), lte(poolFiles.order_key, given.order_key)))
    .limit(asLimit(most))
    .as('first')
  return reading({ files: count().as('files') }, (fields) => db.select(fields).from(first))
})

const trashed = prepared(UP_TO, (db, given) =>
  reading(KEYED, (fields) =>
    db
      .select(fields)
      .from(files)
      .crossJoin(poolFiles)
      .where(
        and(
          eq(files.is_deleted, true),
          eq(poolFiles.pool_rid, given.pool),
          eq(poolFiles.file_rid, files.rid),
          lte(poolFiles.order_key, given.order_key),
        ),
      ),
  ),
)

/**
 * Returns the files of a pool up to a key in its order that the user doesn't see, because they are in the trash or
 * because of their rights. Uses the files found earlier, `known`, unless something was written since.
 */
export function hiddenUpTo(
  db: Db,
  user: User,
  { pool, order_key }: { pool: number; order_key: number },
  known: HiddenFiles | null = null,
): Keyed[] {
  if (known && known.state === stateOf(db)) {
    return known.files.filter((file) => file.order_key <= order_key)
  }
  // Only the trash is hidden from an admin, and it is mostly smaller than a large pool.
  if (user.is_admin) return trashed.all(db, { pool, order_key })
  return hidden(user, 'view').all(db, { pool, order_key, user: user.id })
}

/** The files of a pool that a user doesn't see, and the state of the library when they were found. */
export interface HiddenFiles {
  state: string
  files: Keyed[]
}

export const hiddenOfPool = question(
  'page',
  'hiddenOfPool',
  (db: Db, asked: { viewer: User; pool: number; order_key: number }): Keyed[] => {
    const { viewer, ...upTo } = seenNow(db, asked)
    return hiddenUpTo(db, viewer, upTo)
  },
)

/**
 * Finds, before a write, the files of a pool that a user doesn't see, up to the last of the files with these ids; null
 * if there are so few files that the write can check them quickly.
 */
export async function findHidden(
  db: Db,
  viewer: User,
  { pool, ids }: { pool: PoolRecord; ids: string[] },
): Promise<HiddenFiles | null> {
  const { rid, sort_key } = pool
  if (sort_key !== 'manual' || countInPools(db, [rid], FEW + 1) <= FEW) return null
  const state = stateOf(db)
  const keys = seenFiles(db, viewer, rid, ids).map((file) => file.order_key)
  const order_key = Math.max(...keys, Number.MIN_SAFE_INTEGER)
  if (countUpTo.get(db, { pool: rid, order_key, most: FEW + 1 })!.files <= FEW) return null
  return { state, files: await hiddenOfPool(db, { viewer, pool: rid, order_key }) }
}

const { rid, id, name, name_key, notes, metadata, creator_id, is_public, shares_files } = pools
const { sort_key, sort_order, filter } = pools
const EDITABLE = {
  ...{ name, name_key, notes, metadata, is_public, sort_key, sort_order, shares_files, filter },
}
type Fields = Omit<PoolRecord, 'rid' | 'id' | 'creator_id' | 'creator_name'>

const inserted = prepared({ id, creator_id, ...EDITABLE }, (db, given) =>
  db.insert(pools).values(given),
)

/** Writes a new pool. */
export function insertPool(tx: Tx, pool: Fields & Pick<PoolRecord, 'id' | 'creator_id'>): void {
  inserted.run(tx, { ...pool, name_key: fold(pool.name) })
}

const updated = prepared({ rid, ...EDITABLE }, (db, { rid, ...given }) =>
  db.update(pools).set(given).where(eq(pools.rid, rid)),
)

/** Updates the editable columns of a pool. */
export function updatePool(tx: Tx, rid: number, pool: Fields): void {
  updated.run(tx, { ...pool, rid, name_key: fold(pool.name) })
}

/** Returns how many of a pool's former files still exist, by their row numbers. */
export function countExisting(db: Db, rids: number[]): number {
  return db.first(
    reading({ files: count() }, (fields) =>
      db
        .select(fields)
        .from(sql`json_each(${JSON.stringify(rids)}) AS j`)
        .crossJoin(files)
        .where(eq(files.rid, sql`j.value`)),
    ),
  )!.files
}

/** Writes a deleted pool again under its old ids, without its files and still hidden. */
export function reinsertPool(tx: Tx, pool: Omit<PoolRecord, 'creator_name'>): void {
  tx.execute(tx.insert(pools).values({ ...pool, name_key: fold(pool.name), is_deleted: true }))
}

/** Makes a restored pool visible. */
export function showPool(tx: Tx, rid: number): void {
  tx.execute(tx.update(pools).set({ is_deleted: false }).where(eq(pools.rid, rid)))
}
