import { isoTime } from '../base/time.ts'
import type { Db } from '../db/client.ts'
import { perConnection } from '../db/per-connection.ts'

const kept = perConnection(() => ({ ms: 0 }))

/** Says for how many milliseconds files stay in the trash; 0 is for ever. */
export function setTrashKeep(db: Db, ms: number): void {
  kept(db).ms = ms
}

/** Returns when a file leaves the trash for good that went there at a time, null if it did not; null for never. */
export function leavesTrashAt(db: Db, trashed_at: number | null): string | null {
  const { ms } = kept(db)
  return trashed_at === null || ms === 0 ? null : isoTime(trashed_at + ms)
}
