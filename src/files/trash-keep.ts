import { isoTime } from '../base/time.ts'
import type { Db } from '../db/client.ts'
import { perConnection } from '../db/per-connection.ts'

const retention = perConnection(() => ({ ms: 0 }))

/** Sets for how many milliseconds files stay in the trash; 0 means forever. */
export function setTrashKeep(db: Db, ms: number): void {
  retention(db).ms = ms
}

/**
 * Returns when a file that was trashed at a time leaves the trash for good; null for never, and for a file that is not
 * in the trash.
 */
export function leavesTrashAt(db: Db, trashed_at: number | null): string | null {
  const { ms } = retention(db)
  return trashed_at === null || ms === 0 ? null : isoTime(trashed_at + ms)
}
