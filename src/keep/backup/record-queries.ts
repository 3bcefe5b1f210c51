import { asc, eq, max } from 'drizzle-orm'
import type { BackupProblem } from '../../base/enums.ts'
import type { Db } from '../../db/client.ts'
import { reading } from '../../db/reading.ts'
import { keptGenerations, lastBackup } from '../../db/schema/library.ts'
import type { Tx } from '../../db/write.ts'

// Times are in milliseconds since 1970-01-01 UTC.
interface BackupRecord {
  /** When the last backup succeeded, or null. */
  made_at: number | null
  problem: BackupProblem | null
  /** When a backup failed after that, or null. */
  failed_at: number | null
}

const NONE: BackupRecord = { made_at: null, problem: null, failed_at: null }

export function findBackupRecord(db: Db): BackupRecord {
  const { made_at, problem, failed_at } = lastBackup
  return (
    db.first(
      reading({ made_at, problem, failed_at }, (fields) => db.select(fields).from(lastBackup)),
    ) ?? NONE
  )
}

/** Records a successful backup of that moment. */
export function recordBackup(tx: Tx, made_at: number, problem: BackupProblem | null): void {
  const row = { made_at, problem, failed_at: null }
  const insert = tx.insert(lastBackup).values({ id: 1, ...row })
  tx.execute(insert.onConflictDoUpdate({ target: lastBackup.id, set: row }))
}

/** Records a failed backup. */
export function recordFailure(tx: Tx): void {
  const row = { failed_at: tx.now }
  const insert = tx.insert(lastBackup).values({ id: 1, ...row })
  tx.execute(insert.onConflictDoUpdate({ target: lastBackup.id, set: row }))
}

/**
 * Records a generation of the database alone that is about to be made in a folder, and returns its time: this one, or
 * the next after all that are recorded. What is removed from now on waits for it.
 */
export function keepGeneration(tx: Tx, folder: string, at: number): number {
  const newest = tx.first(
    reading({ at: max(keptGenerations.made_at) }, (fields) =>
      tx.select(fields).from(keptGenerations),
    ),
  )?.at
  const made_at = Math.max(at, (newest ?? 0) + 1)
  tx.execute(tx.insert(keptGenerations).values({ folder, made_at }))
  return made_at
}

/** Records that a folder has exactly these generations of the database alone. */
export function setKeptGenerations(tx: Tx, folder: string, times: number[]): void {
  tx.execute(tx.delete(keptGenerations).where(eq(keptGenerations.folder, folder)))
  for (const made_at of times) {
    tx.execute(tx.insert(keptGenerations).values({ folder, made_at }))
  }
}

/** Returns the folders with generations of the database alone. */
export function foldersOfKept(db: Db): string[] {
  const { folder } = keptGenerations
  const found = reading({ folder }, (fields) =>
    db.select(fields).from(keptGenerations).groupBy(folder).orderBy(asc(folder)),
  )
  return db.rows(found).map((row) => row.folder)
}

/** Returns the times of the generations of the database alone that are recorded of a folder. */
export function timesOfKept(db: Db, folder: string): number[] {
  const { made_at } = keptGenerations
  const found = reading({ made_at }, (fields) =>
    db.select(fields).from(keptGenerations).where(eq(keptGenerations.folder, folder)),
  )
  return db.rows(found).map((row) => row.made_at)
}
