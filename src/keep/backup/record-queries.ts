import type { BackupProblem } from '../../base/enums.ts'
import type { Db } from '../../db/client.ts'
import { lastBackup } from '../../db/schema/library.ts'
import type { Tx } from '../../db/write.ts'

/** What is known of the library's backups; times are in milliseconds since 1970-01-01 UTC. */
interface BackupRecord {
  /** Of the last one that came to its end, or null. */
  made_at: number | null
  problem: BackupProblem | null
  /** When one failed after that, or null. */
  failed_at: number | null
}

const NONE: BackupRecord = { made_at: null, problem: null, failed_at: null }

/** Returns what is known of the library's backups. */
export function findBackupRecord(db: Db): BackupRecord {
  const { made_at, problem, failed_at } = lastBackup
  return db.select({ made_at, problem, failed_at }).from(lastBackup).get() ?? NONE
}

/** Notes a backup of that moment, which has come to its end. */
export function recordBackup(tx: Tx, made_at: number, problem: BackupProblem | null): void {
  const row = { made_at, problem, failed_at: null }
  const insert = tx.insert(lastBackup).values({ id: 1, ...row })
  insert.onConflictDoUpdate({ target: lastBackup.id, set: row }).run()
}

/** Notes that a backup has failed. */
export function recordFailure(tx: Tx): void {
  const row = { failed_at: tx.now }
  const insert = tx.insert(lastBackup).values({ id: 1, ...row })
  insert.onConflictDoUpdate({ target: lastBackup.id, set: row }).run()
}
