import { and, eq } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { duplicateDismissals } from '../../db/schema/duplicates.ts'
import { importLines } from '../../db/schema/imports.ts'
import { pools } from '../../db/schema/pools.ts'
import type { Tx } from '../../db/write.ts'

const { path, sha256, pool_rid } = importLines

const line = prepared({ path, sha256 }, (db, given) =>
  reading({ path, pool_id: pools.id }, (fields) =>
    db
      .select(fields)
      .from(importLines)
      .leftJoin(pools, and(eq(pools.rid, pool_rid), eq(pools.is_deleted, false)))
      .where(and(eq(path, given.path), eq(sha256, given.sha256))),
  ),
)

/**
 * Returns what an import has made of a line of a `library.json`: the id of a pool, or null for one that is being deleted,
 * and for the whole.
 */
export function findLine(
  db: Db,
  key: { path: string; sha256: Uint8Array },
): { pool_id: string | null } | undefined {
  return line.get(db, key)
}

/** Writes what an import has made of a line. */
export function insertLine(tx: Tx, row: typeof importLines.$inferInsert): void {
  tx.execute(tx.insert(importLines).values(row).onConflictDoNothing())
}

/** Forgets what imports have made of a `library.json`. */
export function deleteLines(tx: Tx, of: string): void {
  tx.execute(tx.delete(importLines).where(eq(path, of)))
}

/** Writes that two files are no duplicates; false when that is known. */
export function insertDismissal(tx: Tx, one: number, other: number): boolean {
  const [file_rid_a, file_rid_b] = one < other ? [one, other] : [other, one]
  const dismissal = { file_rid_a, file_rid_b }
  return tx.execute(tx.insert(duplicateDismissals).values(dismissal).onConflictDoNothing()) === 1
}
