import { and, count, desc, eq, gt, isNull, lte, or, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { ApiKey, User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { apiKeys } from '../../db/schema/keys.ts'
import { pools } from '../../db/schema/pools.ts'
import { users } from '../../db/schema/users.ts'
import type { Tx } from '../../db/write.ts'

/** A key that is in use, its user with their present rights, and when it was last used. */
export interface FoundKey {
  user: User
  key: ApiKey
  last_use: number | null
}

const { id, user_id, expires_at, last_use } = apiKeys
const isLive = (now: number | SQLWrapper) => or(isNull(expires_at), gt(expires_at, now))

const keyBy = <Column extends SQLiteColumn>(column: Column) =>
  prepared({ value: column, now: expires_at }, (db, given) =>
    reading(
      {
        id: users.id,
        name: users.name,
        is_admin: users.is_admin,
        can_create: users.can_create,
        key_id: sql<number>`${id}`.as('key_id'),
        scope: apiKeys.scope,
        pool_rid: apiKeys.pool_rid,
        folder_tags: apiKeys.folder_tags,
        last_use,
      },
      (fields) =>
        db
          .select(fields)
          .from(apiKeys)
          .innerJoin(users, eq(users.id, user_id))
          .where(and(eq(column, given.value), isLive(given.now), eq(users.is_blocked, false))),
    ),
  )
const byDigest = keyBy(apiKeys.digest)
const byId = keyBy(id)

/** Returns the live key of a user who isn't blocked with this SHA-256 or id, or undefined. */
export function findKey(
  db: Db,
  named: { digest: Uint8Array } | { id: number },
  now: number,
): FoundKey | undefined {
  const row =
    'digest' in named
      ? byDigest.get(db, { value: named.digest, now })
      : byId.get(db, { value: named.id, now })
  if (!row) return undefined
  const { key_id, scope, pool_rid, folder_tags, last_use, ...user } = row
  return { user, key: { id: key_id, scope, pool_rid, folder_tags }, last_use }
}

const used = prepared({ id, now: last_use }, (db, given) =>
  db.update(apiKeys).set({ last_use: given.now }).where(eq(id, given.id)),
)

export function touchKey(db: Db, id: number, now: number): void {
  used.run(db, { id, now })
}

const KEY = {
  id,
  name: apiKeys.name,
  scope: apiKeys.scope,
  pool_id: pools.id,
  folder_tags: apiKeys.folder_tags,
  created_at: apiKeys.created_at,
  expires_at,
  last_use,
  user_id,
  user_name: users.name,
}

const selected = (db: Db, fields: typeof KEY) =>
  db
    .select(fields)
    .from(apiKeys)
    .innerJoin(users, eq(users.id, user_id))
    .leftJoin(pools, and(eq(pools.rid, apiKeys.pool_rid), eq(pools.is_deleted, false)))

/** A key as people see it, without the key itself. */
export type KeyRow = ReturnType<typeof listKeys>[number]

/** Returns the live keys of a user, the newest first. */
export function listKeys(db: Db, user: number, now: number) {
  return db.rows(
    reading(KEY, (fields) =>
      selected(db, fields)
        .where(and(eq(user_id, user), isLive(now)))
        .orderBy(desc(id)),
    ),
  )
}

/** Returns a live key, or undefined. */
export function loadKey(db: Db, key: number, now: number): KeyRow | undefined {
  return db.first(
    reading(KEY, (fields) => selected(db, fields).where(and(eq(id, key), isLive(now)))),
  )
}

/** Stores a key, removes all that have expired, and returns its id. */
export function insertKey(
  tx: Tx,
  key: Omit<typeof apiKeys.$inferInsert, 'id' | 'created_at' | 'last_use'>,
): number {
  tx.execute(tx.delete(apiKeys).where(lte(expires_at, tx.now)))
  return tx.first(
    reading({ id }, (fields) =>
      tx
        .insert(apiKeys)
        .values({ ...key, created_at: tx.now })
        .returning(fields),
    ),
  )!.id
}

export function countKeys(db: Db, user: number): number {
  const counted = reading({ keys: count() }, (fields) =>
    db.select(fields).from(apiKeys).where(eq(user_id, user)),
  )
  return db.first(counted)!.keys
}

/** Ends a key at once. */
export function deleteKey(tx: Tx, key: number): void {
  tx.execute(tx.delete(apiKeys).where(eq(id, key)))
}

/** Ends all keys of a user, and returns how many there were. */
export function deleteKeys(tx: Tx, user: number): number {
  return tx.execute(tx.delete(apiKeys).where(eq(user_id, user)))
}
