import { setImmediate } from 'node:timers/promises'
import type { Db } from '../db/client.ts'
import { type Tx, type WriteDeps, write } from '../db/write.ts'
import { totalUsage } from '../files/usage/usage-queries.ts'
import type { Activity } from '../http/clients/activity.ts'
import { beforeAbort, MINUTE, type Wait } from '../time.ts'
import { type Finding, type LookDeps, lookAt } from './look.ts'
import {
  beginWork,
  findWork,
  listUnseen,
  moveWork,
  type Unseen,
  type Work,
  workAt,
} from './queries.ts'

/** The name of the work that is done: to look at files from before it was kept how they look. */
const LOOKS = 'looks'
/** How long the work rests that met an error, in milliseconds. */
const REST = 10_000
/** How long it rests before it comes back to what the system refused, in milliseconds. */
const PAUSE = 10 * MINUTE

interface BackgroundDeps extends WriteDeps, LookDeps {
  activity: Activity
  wait: Wait
}

/** One way through all files, the newest first. */
interface Pass {
  /** How far it is, which is written down only together with findings and at the end. */
  work: Work
  /** Whether the system has refused one of those that it has passed. */
  hasSkipped: boolean
  /** Whether an earlier process has passed some, of which nobody knows any more what was refused. */
  isInherited: boolean
}

/**
 * Does what older files lack, the newest first, in portions while nobody asks for anything; the place
 * is in the database, so that a start goes on with it. What the system refuses is passed over, and
 * after the oldest file it begins anew. `over` resolves when nothing is left or it was stopped; `stop`
 * waits for no file: what is found of the present one is not written.
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
  let pass: Pass | undefined
  while (!signal.aborted) {
    try {
      pass ??= begin(deps)
      await deps.activity.calm(signal)
      if (!(await portion(deps, pass, signal))) return
      // Where files lack nothing, there is nothing else to wait for.
      await setImmediate()
    } catch (error) {
      if (signal.aborted) return
      deps.log.warn('the background met an error and goes on later', { error: String(error) })
      await deps.wait(REST, signal).catch(() => {})
    }
  }
}

/** Returns the pass that an earlier process was on with this version of the decoder, or a new one. */
function begin(deps: BackgroundDeps): Pass {
  const { db, clock, decoder } = deps
  const work = findWork(db, LOOKS)
  if (work?.version === decoder.version) {
    return { work, hasSkipped: false, isInherited: work.looked_at > 0 }
  }
  const begun = write(db, { now: clock() }, (tx) => beginAnew(tx, deps))
  return { work: begun, hasSkipped: false, isInherited: false }
}

function beginAnew(tx: Tx, { decoder: { version } }: BackgroundDeps): Work {
  return beginWork(tx, { name: LOOKS, version, total: totalUsage(tx).files })
}

/** Does a portion, or less of it when somebody asks for something. Returns whether work is left. */
async function portion(deps: BackgroundDeps, pass: Pass, signal: AbortSignal): Promise<boolean> {
  const { db, clock, decoder } = deps
  const { work } = pass
  if (work.place === null) return false
  const { files, end } = listUnseen(db, { place: work.place, decoder: decoder.version })
  const findings = await lookAtAll(deps, files, signal)
  if (files.length > 0 && findings.length === 0) return true
  const to = findings.length === files.length ? end : files[findings.length - 1]!.rid
  if (findings.includes(null)) pass.hasSkipped = true
  const isAnew = to === null && (pass.hasSkipped || pass.isInherited)
  const next = workAt(db, work, to)
  const keep = (tx: Tx): Work => {
    for (const finding of findings) finding?.(tx)
    if (isAnew) return beginAnew(tx, deps)
    moveWork(tx, next)
    return next
  }
  const isWritten = findings.length > 0 || to === null
  pass.work = isWritten ? write(db, { now: clock() }, keep) : next
  if (isAnew) {
    const { hasSkipped } = pass
    Object.assign(pass, { hasSkipped: false, isInherited: false })
    if (hasSkipped) await deps.wait(PAUSE, signal)
  } else if (findings.length > 0 && findings.every((finding) => finding === null)) {
    throw new Error('the system refuses to decode anything')
  }
  return true
}

/** Returns what was found of the first files, until somebody asks for something or it is stopped. */
async function lookAtAll(
  deps: BackgroundDeps,
  files: Unseen[],
  signal: AbortSignal,
): Promise<(Finding | null)[]> {
  const findings: (Finding | null)[] = []
  for (const file of files) {
    if (deps.activity.isBusy() || signal.aborted) break
    try {
      findings.push(await beforeAbort(lookAt(deps, file, signal), signal))
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
  return findings
}
