import type { Db } from '../db/client.ts'
import { readTags } from '../files/counts/counts.ts'
import { ALL_TIMES } from '../files/find/range.ts'
import { orderedFiles } from '../files/sets/ordered.ts'
import { readShared } from '../files/sets/visible.ts'
import type { Activity } from '../http/clients/activity.ts'
import type { Log } from '../log.ts'
import { createPause } from '../pause.ts'

interface AheadDeps {
  db: Db
  activity: Activity
  log: Log
}

/** Reads something that is kept, in turns: it pauses between them, and fails there when it is to end. */
type Reading = (db: Db, pause: () => Promise<void>) => Promise<unknown>

/**
 * Reads what the gallery's first page needs of all files, once nobody asks for anything: their months,
 * who may view them, and which tags they carry; then what `others` read, one after the other. Who asks for it meanwhile waits for this reading, or reads it too. `over` resolves
 * when all is read or it was stopped; `stop` leaves off after what is being read.
 */
export function readAhead(
  deps: AheadDeps,
  others: Reading[],
): { over: Promise<void>; stop(): Promise<void> } {
  const ending = new AbortController()
  const over = read(deps, others, ending.signal)
  return {
    over,
    async stop() {
      ending.abort()
      await over
    },
  }
}

async function read(
  { db, activity, log }: AheadDeps,
  others: Reading[],
  signal: AbortSignal,
): Promise<void> {
  const pause = createPause()
  const pauseOrEnd = async () => {
    signal.throwIfAborted()
    await pause()
  }
  try {
    await activity.calm(signal)
    const all = { trash: false, range: ALL_TIMES }
    await orderedFiles(db, { sort: 'content_datetime', ...all })
    await readShared(db, false)
    await readTags(db, signal)
    for (const other of others) {
      await pauseOrEnd()
      await other(db, pauseOrEnd)
    }
  } catch (error) {
    // Whoever asks first reads it instead.
    if (!signal.aborted) log.warn('nothing could be read ahead', { error: String(error) })
  }
}
