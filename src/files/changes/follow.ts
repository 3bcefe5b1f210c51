import type { Db } from '../../db/client.ts'
import { read } from '../../db/write.ts'
import { type Changes, changesAfter, newestChange } from './queries.ts'

/** What is kept in memory of the files, as it was after the change `seq`. */
export interface Followed {
  of: Changes
  seq: number
  /** The reading or following that is under way, if there is one. */
  reading: Promise<void> | null
}

/** More changes than this would hold other requests up, and everything is read anew in turns. */
const CHANGES_TO_FOLLOW = 4000
/** So many are always there: triggers as `file_changes_last` keep the last ones. */
const CHANGES_KEPT = 8192

/**
 * Brings `state` up to date with every write to the library, by this process or another: `readAll` reads
 * everything, in turns of its own, and `take` takes in some files of which something changed, or which
 * are new or gone.
 */
export async function follow<State extends Followed>(
  db: Db,
  state: State,
  { readAll, take }: { readAll: () => Promise<void>; take: (rids: number[]) => void },
): Promise<void> {
  while (!isCurrent(db, state)) {
    state.reading ??= catchUp(db, state, { readAll, take }).finally(() => {
      state.reading = null
    })
    await state.reading
  }
}

/** Returns whether all changes of the files have been taken in. */
export function isCurrent(db: Db, { of, seq }: Followed): boolean {
  return seq !== UNREAD && newestChange(db, of) <= seq
}

/** Returns whether some of the files have changed after the change `seq`, or may have. */
export function haveChanged(db: Db, rids: number[], seq: number): boolean {
  const changes = changesAfter(db, 'file_changes', seq)
  if (changes.seq - seq > CHANGES_KEPT) return true
  const changed = new Set(changes.rids)
  return changed.size > 0 && rids.some((rid) => changed.has(rid))
}

/** The `seq` of what was not read yet. */
export const UNREAD = -1

async function catchUp(
  db: Db,
  state: Followed,
  { readAll, take }: { readAll: () => Promise<void>; take: (rids: number[]) => void },
): Promise<void> {
  const newest = newestChange(db, state.of)
  if (state.seq === UNREAD || newest - state.seq > CHANGES_TO_FOLLOW) {
    state.seq = UNREAD
    await readAll()
    // Whatever changed while it was read is taken in below.
    state.seq = newest
  }
  // All at once and in one state of the library: where a file stands is told by its neighbours.
  read(db, () => {
    const changes = changesAfter(db, state.of, state.seq)
    if (changes.seq - state.seq > CHANGES_KEPT) {
      // While everything was read, more came than the table keeps.
      state.seq = UNREAD
      return
    }
    take(changes.rids)
    state.seq = changes.seq
  })
}
