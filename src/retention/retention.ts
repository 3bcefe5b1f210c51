import { setImmediate } from 'node:timers/promises'
import { SYSTEM } from '../audit/record.ts'
import { deleteEntriesBefore } from '../audit/record-queries.ts'
import { removeOldTexts } from '../audit/text-queries.ts'
import type { Config } from '../base/config.ts'
import type { Log } from '../base/log.ts'
import { repeatedly } from '../base/pause.ts'
import { DAY, MINUTE } from '../base/time.ts'
import { idTime } from '../db/ids.ts'
import { type Tx, type WriteDeps, write } from '../db/write.ts'
import { deleteFiles } from '../files/bulk/bulk-queries.ts'
import type { Uploads } from '../uploads/uploads.ts'
import { findPasses, listTrashedBefore, setPasses, setTrashedNow } from './queries.ts'

interface RetentionDeps extends WriteDeps {
  config: Pick<Config, 'trashKeep' | 'auditKeep'>
  uploads: Pick<Uploads, 'removeExpired'>
  log: Log
}

const PORTION = 500

/**
 * Removes, at once and every hour, what has reached its retention time: files in the trash, entries of the audit log,
 * the long texts beside it, and uploads in parts. `stop` ends that within a portion, and resolves then.
 */
export function scheduleRetention(deps: RetentionDeps): { stop(): Promise<void> } {
  return repeatedly(60 * MINUTE, (signal) => removeExpired(deps, signal))
}

/**
 * Removes what has reached its retention time. Never rejects: the rest is removed the next time. Contents of files are
 * removed by the next sweep (`files/content/removals.ts`).
 */
export async function removeExpired(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const { db, clock, config, log } = deps
  const { trashKeep, auditKeep } = config
  try {
    // Not only by a clock that can be trusted: they can be sent again.
    await deps.uploads.removeExpired()
    if (!write(db, { now: clock() }, isSteady)) return
    await inPortions(deps, signal, (tx) => removeOldTexts(tx, PORTION))
    if (auditKeep > 0) {
      await inPortions(deps, signal, (tx) =>
        deleteEntriesBefore(tx, { time: tx.now - auditKeep, limit: PORTION }),
      )
    }
    if (trashKeep > 0) await inPortions(deps, signal, (tx) => emptyTrash(tx, trashKeep))
  } catch (error) {
    log.warn('what was kept for long enough is still there', { error: String(error) })
  }
}

// Returns whether the clock can be trusted, and stores the time: setting a clock ahead makes everything old at once.
// After more than a day without a pass, or when the clock went back, a day of passes has to go by.
function isSteady(tx: Tx): boolean {
  const { passed_at, steady_since } = findPasses(tx)
  const hasLeapt = passed_at === null || tx.now < passed_at || tx.now > passed_at + DAY
  const since = hasLeapt ? tx.now : (steady_since ?? tx.now)
  setPasses(tx, { passed_at: tx.now, steady_since: since })
  return tx.now >= since + DAY
}

// `ms` is how long a file must have been in the trash; returns the number of files examined.
function emptyTrash(tx: Tx, ms: number): number {
  const files = listTrashedBefore(tx, { time: tx.now - ms, limit: PORTION })
  // The clock was behind: a file can't go to the trash before it is created.
  const early = files.filter((file) => file.trashed_at < idTime(file.id))
  setTrashedNow(
    tx,
    early.map(({ rid }) => rid),
  )
  const old = files.filter((file) => !early.includes(file))
  deleteFiles(
    tx,
    SYSTEM,
    old.map(({ rid }) => rid),
  )
  return files.length
}

async function inPortions(
  { db, clock }: RetentionDeps,
  signal: AbortSignal,
  remove: (tx: Tx) => number,
): Promise<void> {
  while (!signal.aborted) {
    if (write(db, { now: clock() }, remove) === 0) return
    await setImmediate()
  }
}
