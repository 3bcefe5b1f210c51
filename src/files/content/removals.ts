import pLimit from 'p-limit'
import type { Config } from '../../config.ts'
import { isLocked } from '../../db/lock.ts'
import { type WriteDeps, write } from '../../db/write.ts'
import type { Log } from '../../log.ts'
import { dataFolder } from '../../media/data-folder.ts'
import type { Storage } from '../../media/storage.ts'
import { deleteRemovals, listRemovals } from './removal-queries.ts'

export interface RemovalDeps extends WriteDeps {
  storage: Pick<Storage, 'removeBlob'>
  config: Pick<Config, 'dataDir'>
  log: Pick<Log, 'warn'>
}

/** How many contents are read of those that wait, and how many are removed at once. */
const STRETCH = 1000
const AT_ONCE = 16

/**
 * Removes the contents whose last rows are gone, unless a backup is running, which may be about to copy them: then
 * they wait for the next call. What can't be removed waits, too, and is logged. Call it after the commit.
 */
export async function removeContents(deps: RemovalDeps): Promise<void> {
  const failed = new Set<string>()
  try {
    for (;;) {
      const waiting = listRemovals(deps.db, STRETCH + failed.size)
      const blobs = waiting.filter((blob) => !failed.has(blob))
      if (blobs.length === 0 || isLocked(dataFolder(deps.config.dataDir).backupLock)) return
      await pLimit(AT_ONCE).map(blobs, async (blob) => {
        try {
          await deps.storage.removeBlob(blob)
        } catch (error) {
          failed.add(blob)
          deps.log.warn('content not removed', { blob, error: String(error) })
        }
      })
      const removed = blobs.filter((blob) => !failed.has(blob))
      write(deps.db, { now: deps.clock() }, (tx) => deleteRemovals(tx, removed))
    }
  } catch (error) {
    // The rows stay, and with them what is to be done.
    deps.log.warn('contents not removed', { error: String(error) })
  }
}

/** How often those that wait for the end of a backup are looked for, in milliseconds. */
const INTERVAL = 10 * 60_000

/** Removes what an earlier server has left, and from time to time what waits. `stop` resolves when it has left off. */
export function scheduleRemovals(deps: RemovalDeps): { stop(): Promise<void> } {
  let running = removeContents(deps)
  const timer = setInterval(() => {
    running = running.then(() => removeContents(deps))
  }, INTERVAL)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      return running
    },
  }
}
