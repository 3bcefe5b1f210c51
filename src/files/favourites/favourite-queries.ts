import { and, eq, inArray, sql } from 'drizzle-orm'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { favourites } from '../../db/schema/files.ts'
import { listed } from '../../db/sql.ts'
import type { Tx } from '../../db/write.ts'

const { user_id, file_rid, added_at } = favourites

const among = prepared({ user_id, files: 'text' }, (db, given) =>
  reading({ file_rid }, (fields) =>
    db
      .select(fields)
      .from(favourites)
      .where(and(eq(user_id, given.user_id), inArray(file_rid, listed(given.files)))),
  ),
)

/** Returns which of the files are favourites of a user. */
export function favouritesAmong(db: Db, user: Pick<User, 'id'>, rids: number[]): Set<number> {
  const rows = among.all(db, { user_id: user.id, files: JSON.stringify(rids) })
  return new Set(rows.map((row) => row.file_rid))
}

const added = prepared({ user_id, files: 'text', added_at }, (db, given) =>
  db
    .insert(favourites)
    .select(
      sql`SELECT ${given.user_id}, value, ${given.added_at} FROM json_each(${given.files}) WHERE true`,
    )
    .onConflictDoNothing(),
)

/** Makes files favourites of a user; returns how many were none. */
export function addFavourites(tx: Tx, user: Pick<User, 'id'>, rids: number[]): number {
  return added.run(tx, { user_id: user.id, files: JSON.stringify(rids), added_at: tx.now })
}

const removed = prepared({ user_id, files: 'text' }, (db, given) =>
  db
    .delete(favourites)
    .where(and(eq(user_id, given.user_id), inArray(file_rid, listed(given.files)))),
)

/** Makes files favourites of a user no longer; returns how many were. */
export function removeFavourites(tx: Tx, user: Pick<User, 'id'>, rids: number[]): number {
  return removed.run(tx, { user_id: user.id, files: JSON.stringify(rids) })
}

const carried = prepared({ keep: file_rid, discard: file_rid }, (db, given) =>
  db
    .insert(favourites)
    .select(
      sql`SELECT ${user_id}, ${given.keep}, ${added_at} FROM ${favourites} WHERE ${file_rid} = ${given.discard}`,
    )
    .onConflictDoNothing(),
)

/** Makes a file a favourite of everybody whose favourite the file is that is merged into it. */
export function carryFavourites(tx: Tx, keep: number, discard: number): void {
  carried.run(tx, { keep, discard })
}
