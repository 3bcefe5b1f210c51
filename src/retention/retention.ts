import { setImmediate } from 'node:timers/promises'
import { SYSTEM } from '../audit/record.ts'
import { deleteEntriesBefore } from '../audit/record-queries.ts'
import { forgetTally } from '../audit/tally.ts'
import { removeOldTexts } from '../audit/text-queries.ts'
import type { Config } from '../config.ts'
import { type Tx, write } from '../db/write.ts'
import { deleteFiles, listTrashedBefore } from '../files/bulk/bulk-queries.ts'
import { type RemovalDeps, removeContents } from '../files/content/removals.ts'
import { MINUTE } from '../time.ts'

interface RetentionDeps extends RemovalDeps {
  config: RemovalDeps['config'] & Pick<Config, 'trashKeep' | 'auditKeep'>
}

/** Rows that go in one write. */
const PORTION = 500

/**
 * Removes, at once and every hour, what has been kept for as long as it shall be: files in the trash, entries of the
 * audit log, and the long texts beside it. `stop` ends that within a portion, and resolves then.
 */
export function scheduleRetention(deps: RetentionDeps): { stop(): Promise<void> } {
  const ending = new AbortController()
  let running = removeKept(deps, ending.signal)
  const timer = setInterval(() => {
    running = running.then(() => removeKept(deps, ending.signal))
  }, 60 * MINUTE)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      ending.abort()
      return running
    },
  }
}

/** Removes what has been kept for long enough now. Never rejects: what is left goes the next time. */
export async function removeKept(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const { trashKeep, auditKeep } = deps.config
  try {
    await inPortions(deps, signal, (tx) => removeOldTexts(tx, PORTION))
    if (auditKeep > 0) {
      const removed = await inPortions(deps, signal, (tx) =>
        deleteEntriesBefore(tx, { time: tx.now - auditKeep, limit: PORTION }),
      )
      if (removed > 0) forgetTally(deps.db)
    }
    if (trashKeep > 0) await emptyTrash(deps, signal)
  } catch (error) {
    deps.log.warn('what was kept for long enough is still there', { error: String(error) })
  }
}

async function emptyTrash(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const blobs: string[] = []
  const { trashKeep } = deps.config
  await inPortions(deps, signal, (tx) => {
    const files = listTrashedBefore(tx, { time: tx.now - trashKeep, limit: PORTION })
    const rids = files.map(({ rid }) => rid)
    if (rids.length > 0) deleteFiles(tx, SYSTEM, rids)
    blobs.push(...files.map(({ blob }) => blob))
    return files.length
  })
  await removeContents(deps, blobs)
}

/** Has rows removed by one write after the other until none is left; returns how many there were. */
async function inPortions(
  { db, clock }: RetentionDeps,
  signal: AbortSignal,
  remove: (tx: Tx) => number,
): Promise<number> {
  let all = 0
  while (!signal.aborted) {
    const removed = write(db, { now: clock() }, remove)
    all += removed
    if (removed === 0) break
    await setImmediate()
  }
  return all
}
