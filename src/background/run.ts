import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../db/client.ts'
import { type WriteDeps, write } from '../db/write.ts'
import { totalUsage } from '../files/usage/usage-queries.ts'
import type { Activity } from '../http/clients/activity.ts'
import type { Log } from '../log.ts'
import { type LookDeps, lookAt } from './look.ts'
import { beginWork, findWork, listUnseen, moveWork } from './queries.ts'

/** The name of the work that is done: to look at files from before it was kept how they look. */
const LOOKS = 'looks'
/** How long the work rests that met an error, in milliseconds. */
const REST = 10_000

interface BackgroundDeps extends WriteDeps, LookDeps {
  activity: Activity
  log: Log
}

/**
 * Does what older files lack, the newest first, in portions while nobody asks for anything; the place
 * is in the database, so that a start goes on with it. `over` resolves when nothing is left or it was
 * stopped; `stop` leaves off after the present file.
 */
export function runBackground(deps: BackgroundDeps): {
  over: Promise<void>
  stop(): Promise<void>
} {
  const ending = new AbortController()
  const over = work(deps, ending.signal)
  return {
    over,
    async stop() {
      ending.abort()
      await over
    },
  }
}

/**
 * Returns how many files the background has come past, and of how many, or null when nothing is left.
 */
export function workLeft(db: Db): { looked_at: number; total: number } | null {
  const work = findWork(db, LOOKS)
  if (!work || work.place === null) return null
  return { looked_at: work.looked_at, total: work.total }
}

async function work(deps: BackgroundDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      begin(deps)
      await deps.activity.calm(signal)
      if (!(await portion(deps, signal))) return
    } catch (error) {
      if (signal.aborted) return
      deps.log.warn('the background met an error and goes on later', { error: String(error) })
      await delay(REST, undefined, { ref: false, signal }).catch(() => {})
    }
  }
}

/** Writes down that the work begins, unless it has with this version of the decoder. */
function begin({ db, clock, decoder: { version } }: BackgroundDeps): void {
  if (findWork(db, LOOKS)?.version === version) return
  write(db, { now: clock() }, (tx) => {
    beginWork(tx, { name: LOOKS, version, total: totalUsage(tx).files })
  })
}

/** Does a portion, or less of it when somebody asks for something. Returns whether work is left. */
async function portion(deps: BackgroundDeps, signal: AbortSignal): Promise<boolean> {
  const { db, clock, decoder, activity } = deps
  const work = findWork(db, LOOKS)
  if (!work || work.place === null) return false
  const { files, end } = listUnseen(db, { place: work.place, decoder: decoder.version })
  const findings: Awaited<ReturnType<typeof lookAt>>[] = []
  for (const file of files) {
    if (activity.isBusy() || signal.aborted) break
    findings.push(await lookAt(deps, file))
  }
  const isWhole = findings.length === files.length
  if (files.length > 0 && findings.length === 0) return true
  if (findings.length > 0 && findings.every((finding) => finding === null)) {
    throw new Error('the system refuses to decode anything')
  }
  write(db, { now: clock() }, (tx) => {
    for (const finding of findings) finding?.(tx)
    moveWork(tx, work, isWhole ? end : files[findings.length - 1]!.rid)
  })
  return true
}
