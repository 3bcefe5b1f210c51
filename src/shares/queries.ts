import { and, count, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { reading } from '../db/reading.ts'
import { pools } from '../db/schema/pools.ts'
import { shareFiles, shares } from '../db/schema/shares.ts'
import { users } from '../db/schema/users.ts'
import type { Tx } from '../db/write.ts'

/** A link as it is loaded, with the name of who made it and the id of its pool. */
export interface ShareRecord extends Omit<typeof shares.$inferSelect, 'token_hash'> {
  creator_name: string
  pool_id: string | null
}

const { rid: _, token_hash, ...COLUMNS } = getTableColumns(shares)
const SHARE = {
  rid: shares.rid,
  ...COLUMNS,
  creator_name: users.name,
  pool_id: pools.id,
}

const isYetToEnd = (now: SQL | number) =>
  sql`(${shares.expires_at} IS NULL OR ${shares.expires_at} > ${now})`

const byToken = prepared({ token_hash, now: 'number' }, (db, given) =>
  reading(SHARE, (fields) =>
    db
      .select(fields)
      .from(shares)
      .innerJoin(users, eq(users.id, shares.creator_id))
      .leftJoin(pools, eq(pools.rid, shares.pool_rid))
      .where(and(eq(token_hash, given.token_hash), isYetToEnd(given.now))),
  ),
)

/** Returns the link whose token has this digest, unless it has ended by itself. */
export function findShareByToken(
  db: Db,
  asked: { token_hash: Uint8Array; now: number },
): ShareRecord | undefined {
  return byToken.get(db, asked)
}

const byRid = prepared({ rid: shares.rid }, (db, given) =>
  reading(SHARE, (fields) =>
    db
      .select(fields)
      .from(shares)
      .innerJoin(users, eq(users.id, shares.creator_id))
      .leftJoin(pools, eq(pools.rid, shares.pool_rid))
      .where(eq(shares.rid, given.rid)),
  ),
)

/** Returns the link with a row number, whether it has ended or not. */
export function findShareByRid(db: Db, rid: number): ShareRecord | undefined {
  return byRid.get(db, { rid })
}

/** Returns a page of a user's links, of an admin's all links, the newest first, and their total number. */
export function listShares(
  db: Db,
  user: User,
  { offset, limit }: { offset: number; limit: number },
): { rows: ShareRecord[]; total: number } {
  const where = user.is_admin ? undefined : eq(shares.creator_id, user.id)
  const rows = reading(SHARE, (fields) =>
    db
      .select(fields)
      .from(shares)
      .innerJoin(users, eq(users.id, shares.creator_id))
      .leftJoin(pools, eq(pools.rid, shares.pool_rid))
      .where(where)
      .orderBy(desc(shares.rid))
      .limit(limit)
      .offset(offset),
  )
  const counted = reading({ total: count() }, (fields) =>
    db.select(fields).from(shares).where(where),
  )
  return { rows: db.rows(rows), total: db.first(counted)!.total }
}

/** Returns how many links a user has, without those that have ended by themselves. */
export function countShares(tx: Tx, creator_id: number): number {
  const own = and(eq(shares.creator_id, creator_id), isYetToEnd(tx.now))
  const counted = reading({ made: count() }, (fields) => tx.select(fields).from(shares).where(own))
  return tx.first(counted)!.made
}

const inserted = prepared({ ...COLUMNS, token_hash }, (db, given) =>
  reading({ rid: shares.rid }, (fields) => db.insert(shares).values(given).returning(fields)),
)

/** Writes a new link, and returns its row number. */
export function insertShare(tx: Tx, share: Omit<typeof shares.$inferInsert, 'rid'>): number {
  const absent = { title: null, pool_rid: null, password_hash: null, expires_at: null }
  return inserted.get(tx, { ...absent, last_used_at: null, ...share } as never)!.rid
}

const named = prepared({ share: shareFiles.share_rid, rids: 'text' }, (db, given) =>
  db.insert(shareFiles).select(
    db
      .select({
        share_rid: sql`${given.share}`.as('share_rid'),
        file_rid: sql`j.value`.as('file_rid'),
        place: sql`j.key`.as('place'),
      })
      .from(sql`json_each(${given.rids}) AS j`)
      // Without a condition, SQLite could take what follows a join for a conflict clause.
      .where(sql`true`),
  ),
)

/** Writes which files a link shows, in their order. */
export function insertShareFiles(tx: Tx, share: number, rids: number[]): void {
  named.run(tx, { share, rids: JSON.stringify(rids) })
}

/** Deletes a link of the user, of an admin any, and returns it; undefined when there is none with this id. */
export function deleteShare(
  tx: Tx,
  user: User,
  id: string,
): { title: string | null; creator_id: number } | undefined {
  const own = user.is_admin ? undefined : eq(shares.creator_id, user.id)
  return tx.first(
    reading({ title: shares.title, creator_id: shares.creator_id }, (fields) =>
      tx
        .delete(shares)
        .where(and(eq(shares.id, id), own))
        .returning(fields),
    ),
  )
}

const used = prepared({ rid: shares.rid, now: 'number' }, (db, given) =>
  db
    .update(shares)
    .set({ last_used_at: sql`${given.now}` })
    .where(eq(shares.rid, given.rid)),
)

/** Writes when a link was last used. */
export function touchShare(tx: Tx, rid: number): void {
  used.run(tx, { rid, now: tx.now })
}
