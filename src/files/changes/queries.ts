import type { Db } from '../../db/client.ts'
import { columnNames } from '../../db/column-names.ts'
import { fileChanges, traitChanges } from '../../db/schema/caches.ts'

/** Those of both tables of changes, which are alike. */
const c = columnNames(fileChanges)

/** What is followed: what decides where lists show files and to whom, or their traits. */
export type Changes = 'file_changes' | 'trait_changes'

/** Returns the number of the newest change, which may not be kept any more; 0 before the first. */
export function newestChange(db: Db, changes: Changes): number {
  const sql = 'SELECT seq FROM sqlite_sequence WHERE name = ?'
  return db.get<{ seq: number }>(sql, changes)?.seq ?? 0
}

/** Returns the files that changed after a change, each once, and the number of the newest change. */
export function changesAfter(
  db: Db,
  changes: Changes,
  after: number,
): { rids: number[]; seq: number } {
  const { rids, seq } = db.get<{ rids: string; seq: number }>(
    `SELECT json_group_array(DISTINCT ${c.file_rid}) AS rids, ifnull(max(${c.seq}), ?) AS seq
     FROM ${changes} WHERE ${c.seq} > ?`,
    after,
    after,
  )!
  return { rids: JSON.parse(rids), seq }
}

/** Removes all changes of files; what was kept in memory before would miss them. */
export function removeFileChanges(db: Db): void {
  db.delete(fileChanges).run()
  db.delete(traitChanges).run()
}
