import { setImmediate } from 'node:timers/promises'
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

/** How what is kept is brought up to date. */
interface Ways {
  /** Reads everything, and calls `pause` to let other requests run. */
  readAll: (pause: Pause) => Promise<void>
  /** Takes in some files of which something changed, or which are new or gone. */
  take: (rids: number[]) => void
}

/** Lets other requests run, and notes what they change. */
export type Pause = () => Promise<void>

/** Brings `state` up to date with every write to the library, by this process or another. */
export async function follow<State extends Followed>(
  db: Db,
  state: State,
  ways: Ways,
): Promise<void> {
  while (!isCurrent(db, state)) {
    state.reading ??= catchUp(db, state, ways).finally(() => {
      state.reading = null
    })
    await state.reading
  }
}

/** Returns whether all changes of the files have been taken in. */
export function isCurrent(db: Db, { of, seq }: Followed): boolean {
  return seq !== UNREAD && newestChange(db, of) <= seq
}

/** Returns whether what is kept is there, and so little has changed since that it is followed at once. */
export function isAtHand(db: Db, { of, seq }: Followed): boolean {
  return seq !== UNREAD && newestChange(db, of) - seq <= CHANGES_TO_FOLLOW
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

async function catchUp(db: Db, state: Followed, { readAll, take }: Ways): Promise<void> {
  const isAnew = !isAtHand(db, state)
  let seq = isAnew ? newestChange(db, state.of) : state.seq
  const changed = new Set<number>()
  let isWhole = true
  const note = () => {
    const changes = changesAfter(db, state.of, seq)
    isWhole &&= changes.seq - seq <= CHANGES_KEPT
    for (const rid of changes.rids) changed.add(rid)
    seq = changes.seq
  }
  if (isAnew) {
    state.seq = UNREAD
    await readAll(async () => {
      // Before the table loses them.
      note()
      await setImmediate()
    })
  }
  // All at once and in one state of the library: where a file stands is told by its neighbours.
  read(db, () => {
    note()
    if (isWhole) take([...changed])
    state.seq = isWhole ? seq : UNREAD
  })
}
