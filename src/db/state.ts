import type { Db } from './client.ts'

/** Returns a text that stays the same as long as nothing is written, here or by another process. */
export function stateOf(db: Db): string {
  const row = db.get<{ changes: number; data_version: number }>(
    'SELECT total_changes() AS changes, data_version FROM pragma_data_version',
  )!
  return `${row.changes} ${row.data_version}`
}
