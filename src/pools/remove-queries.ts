import { and, eq, inArray, sql } from 'drizzle-orm'
import { newId } from '../db/ids.ts'
import { prepared } from '../db/prepared.ts'
import { poolFiles, pools } from '../db/schema/pools.ts'
import { poolViewDays } from '../db/schema/views.ts'
import type { Tx } from '../db/write.ts'

const NOTHING = { notes: null, metadata: null, filter: null }

/** Hides a pool that is being deleted: no search by its former id or name finds it. */
export function hidePool(tx: Tx, rid: number): void {
  // Ids ascend, so the id of a newer pool must not be lower.
  const nobodys = newId(tx, 'pools')
  tx.execute(
    tx
      .update(pools)
      .set({ id: nobodys, name: '', name_key: '', ...NOTHING, is_deleted: true })
      .where(eq(pools.rid, rid)),
  )
}

const filesTaken = prepared({ pool_rid: poolFiles.pool_rid, limit: 'number' }, (db, given) => {
  const { pool_rid, file_rid } = poolFiles
  const first = sql`(SELECT ${file_rid} FROM ${poolFiles}
    WHERE ${pool_rid} = ${given.pool_rid} ORDER BY ${file_rid} LIMIT ${given.limit})`
  return db.delete(poolFiles).where(and(eq(pool_rid, given.pool_rid), inArray(file_rid, first)))
})

const viewsTaken = prepared({ pool_rid: poolViewDays.pool_rid, limit: 'number' }, (db, given) => {
  const { pool_rid, user_id, day } = poolViewDays
  const first = sql`(SELECT ${user_id}, ${day} FROM ${poolViewDays}
    WHERE ${pool_rid} = ${given.pool_rid} LIMIT ${given.limit})`
  return db
    .delete(poolViewDays)
    .where(and(eq(pool_rid, given.pool_rid), sql`(${user_id}, ${day}) IN ${first}`))
})

/** Takes the first files out of a pool, then deletes the records of its views; returns the number of deleted rows. */
export function takeOutFirst(tx: Tx, pool_rid: number, limit: number): number {
  const files = filesTaken.run(tx, { pool_rid, limit })
  return files + viewsTaken.run(tx, { pool_rid, limit: limit - files })
}

/** Deletes a pool; files that are still in it stay in the library. */
export function deletePool(tx: Tx, rid: number): void {
  tx.execute(tx.delete(pools).where(eq(pools.rid, rid)))
}
