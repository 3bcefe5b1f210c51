import { setTimeout } from 'node:timers/promises'
import { type Tx, type WriteDeps, write } from '../db/write.ts'
import { foldFileViews } from '../files/view-queries.ts'
import type { Log } from '../log.ts'
import { foldPoolViews } from './view-queries.ts'

/** Views folded at once, to begin with, at least and at most. */
const ROWS = { first: 200, least: 20, most: 4000 }
/** How long a portion shall take, in milliseconds: half of what it may. */
const PORTION_TIME = 20
/** How long requests and other processes have the database to themselves, in milliseconds. */
const PAUSE = 20
/** The same after an error, such as a full disk. */
const REST = 60_000

/**
 * Folds views that are still kept one by one, of files or else of pools, `rows` at most, into their
 * days. Returns whether there may be more.
 */
export function foldPortion(tx: Tx, rows: number): boolean {
  return foldFileViews(tx, rows) || foldPoolViews(tx, rows)
}

/**
 * Folds all views that an earlier version has left, portion by portion; a process that was killed goes
 * on where it was. `over` resolves when there is none left, or it was stopped; `stop` waits for one
 * portion at most.
 */
export function foldViews({ db, clock, log }: Pick<WriteDeps, 'db' | 'clock'> & { log: Log }): {
  over: Promise<void>
  stop(): Promise<void>
} {
  const stopped = new AbortController()
  const { signal } = stopped
  const foldAll = async () => {
    let rows = ROWS.first
    for (let pause = PAUSE; ; ) {
      await setTimeout(pause, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      try {
        const begun = performance.now()
        if (!write(db, { now: clock() }, (tx) => foldPortion(tx, rows))) return
        const isQuick = performance.now() - begun < PORTION_TIME
        rows = isQuick ? Math.min(2 * rows, ROWS.most) : Math.max(rows >> 1, ROWS.least)
        pause = PAUSE
      } catch (error) {
        log.error('views were not folded', { error })
        pause = REST
      }
    }
  }
  const over = foldAll()
  return {
    over,
    async stop() {
      stopped.abort()
      await over
    },
  }
}
