import type { Db } from '../db/client.ts'
import { readTags } from '../files/counts/counts.ts'
import { ALL_TIMES } from '../files/filter/range.ts'
import { orderedFiles } from '../files/sets/ordered.ts'
import { readShared } from '../files/sets/visible.ts'
import type { Activity } from '../http/clients/activity.ts'
import type { Log } from '../log.ts'

interface AheadDeps {
  db: Db
  activity: Activity
  log: Log
}

/**
 * Reads what the gallery's first page needs of all files, once nobody asks for anything: their months,
 * who may view them, and which tags they carry. Who asks for it meanwhile waits for this reading.
 * `over` resolves when all is read or it was stopped; `stop` leaves off after what is being read.
 */
export function readAhead(deps: AheadDeps): { over: Promise<void>; stop(): Promise<void> } {
  const ending = new AbortController()
  const over = read(deps, ending.signal)
  return {
    over,
    async stop() {
      ending.abort()
      await over
    },
  }
}

async function read({ db, activity, log }: AheadDeps, signal: AbortSignal): Promise<void> {
  try {
    await activity.calm(signal)
    await orderedFiles(db, { sort: 'content_datetime', trash: false, range: ALL_TIMES })
    await readShared(db, false)
    await readTags(db, signal)
  } catch (error) {
    // Whoever asks first reads it instead.
    if (!signal.aborted) log.warn('nothing could be read ahead', { error: String(error) })
  }
}
