import { SYSTEM } from '../audit/record.ts'
import { type Tx, type WriteDeps, write } from '../db/write.ts'
import { foldFileViews } from '../files/view-queries.ts'
import type { Log } from '../log.ts'
import { beginChange, type LongChange } from '../long-changes/change.ts'
import { foldPoolViews } from './view-queries.ts'

/**
 * Folds views that are still kept one by one, of files or else of pools, `rows` at most, into their
 * days. Returns whether there may be more.
 */
export function foldPortion(tx: Tx, rows: number): boolean {
  return foldFileViews(tx, rows) || foldPoolViews(tx, rows)
}

interface FoldingDeps extends Pick<WriteDeps, 'db' | 'clock'> {
  log: Log
}

/** Folding all views that an earlier version has left, which is no change that anybody asked for. */
export const viewFolding: LongChange<null, null> = {
  kind: 'fold_views',
  isDeletion: true,
  portion: (tx, _, __, rows) => (foldPortion(tx, rows) ? { rest: null } : { result: null }),
}

/**
 * Begins to fold the views that an earlier version has left, if there are any; on a full disk, the next
 * start does.
 */
export function beginFolding({ db, clock, log }: FoldingDeps): void {
  const folding = { subject: 'fold views', actor: SYSTEM, state: null }
  try {
    write(db, { now: clock() }, (tx) => void beginChange(tx, viewFolding, folding))
  } catch (error) {
    log.error('views were not folded', { error: (error as Error).stack })
  }
}
