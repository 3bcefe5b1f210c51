import type { BackupProblem } from '../../base/enums.ts'
import type { Db } from '../../db/client.ts'
import { reading } from '../../db/reading.ts'
import { lastBackup } from '../../db/schema/library.ts'
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
