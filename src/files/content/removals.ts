import pLimit from 'p-limit'
import type { Config } from '../../base/config.ts'
import { isBusy } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { repeatedly } from '../../base/pause.ts'
import { isLocked } from '../../db/lock.ts'
import { type WriteDeps, write } from '../../db/write.ts'
import { dataFolder } from '../../media/data-folder.ts'
import type { Storage } from '../../media/storage.ts'
import { deleteRemovals, listRemovals, removable } from './removal-queries.ts'

export interface RemovalDeps extends WriteDeps {
  storage: Pick<Storage, 'removeBlob'>
  config: Pick<Config, 'dataDir'>
  log: Pick<Log, 'warn'>
}

const AT_ONCE = 16

/**
 * Removes contents whose last rows are gone. While a backup is running, which may be about to copy them, they wait for
 * the next sweep instead; so do contents that can't be removed, which are logged, and those that a kept generation of
 * the database alone may name. Call it after the commit. Never rejects.
 */
export async function removeContents(deps: RemovalDeps, blobs: string[]): Promise<void> {
  try {
    if (blobs.length === 0 || isBackupRunning(deps)) return
    // A backup that begins from here on no longer lists them.
    await remove(deps, removable(deps.db, blobs))
  } catch (error) {
    tellLeft(deps, error)
  }
}

function isBackupRunning({ config }: RemovalDeps): boolean {
  return isLocked(dataFolder(config.dataDir).backupLock)
}

// The rows stay, so the next sweep tries again.
function tellLeft({ log }: RemovalDeps, error: unknown): void {
  log.warn('contents not removed', { error: String(error) })
}

// Returns whether the place of the contents can be reached.
async function remove(deps: RemovalDeps, blobs: string[]): Promise<boolean> {
  const removed: string[] = []
  let isAway = false
  await pLimit(AT_ONCE).map(blobs, async (blob) => {
    // A store that does not answer would let each of them wait.
    if (isAway) return
    try {
      if (await deps.storage.removeBlob(blob)) removed.push(blob)
    } catch (error) {
      isAway ||= isBusy(error)
      deps.log.warn('content not removed', { blob, error: String(error) })
    }
  })
  if (removed.length > 0) write(deps.db, { now: deps.clock() }, (tx) => deleteRemovals(tx, removed))
  return !isAway
}

/** How many waiting contents are removed between checks for a stop or a backup. */
const STRETCH = 100

/** Stops when nothing is left to try, a backup is running, the store is away, or `signal` is aborted. */
async function sweep(deps: RemovalDeps, signal: AbortSignal): Promise<void> {
  try {
    for (let after = ''; !signal.aborted; ) {
      const blobs = listRemovals(deps.db, { after, limit: STRETCH })
      if (blobs.length === 0 || isBackupRunning(deps)) return
      if (!(await remove(deps, blobs))) return
      // A content that could not be removed holds up nothing after it.
      after = blobs.at(-1)!
    }
  } catch (error) {
    tellLeft(deps, error)
  }
}

/** How often waiting contents are swept, in milliseconds. */
const INTERVAL = 10 * 60_000

/**
 * Removes what an earlier server left, and periodically what waits. `stop` ends that within a stretch, and resolves
 * then.
 */
export function scheduleRemovals(deps: RemovalDeps): { stop(): Promise<void> } {
  return repeatedly(INTERVAL, (signal) => sweep(deps, signal))
}
