import type { Db } from '../db/client.ts'
import { type Tx, type WriteDeps, write } from '../db/write.ts'
import { totalUsage } from '../files/usage/usage-queries.ts'
import type { Activity } from '../http/clients/activity.ts'
import { beforeAbort } from '../time.ts'
import type { Finding, Kind, LookDeps } from './kind.ts'
import {
  beginWork,
  countEntries,
  findWork,
  listNext,
  moveWork,
  type Work,
  workAt,
} from './queries.ts'

/** What a pass needs. */
export interface PassDeps extends WriteDeps, LookDeps {
  activity: Activity
}

/** A kind of work on files, whatever it needs to know of one. */
export type AnyKind = Kind<{ rid: number }>

/** One way through all files with a kind of work, the newest first. */
export interface Pass {
  kind: AnyKind
  /** How far it is, which is written down only together with findings and at the end. */
  work: Work
  /** Whether the system has refused one of those that it has passed. */
  hasSkipped: boolean
  /** Whether an earlier process has passed some, of which nobody knows any more what was refused. */
  isInherited: boolean
}

/**
 * Returns the pass that an earlier process was on with this version of a kind of work, or a new one.
 */
export function beginPass(deps: PassDeps, kind: AnyKind): Pass {
  const { db, clock } = deps
  const work = findWork(db, kind.name)
  if (work?.version === kind.version(deps)) {
    return { kind, work, hasSkipped: false, isInherited: work.looked_at > 0 }
  }
  const begun = write(db, { now: clock() }, (tx) => beginAnew(tx, deps, kind, null))
  return { kind, work: begun, hasSkipped: false, isInherited: false }
}

function beginAnew(tx: Tx, deps: PassDeps, kind: AnyKind, operation: number | null): Work {
  const { name } = kind
  const version = kind.version(deps)
  return beginWork(tx, { name, version, total: totalUsage(tx).files, operation })
}

/**
 * Does a portion, or less of it when somebody asks for something. Returns what is left to do after it:
 * `skipped` when the pass begins anew for what the system refused. Throws when it refuses everything,
 * and what a full disk makes of any file.
 */
export async function doPortion(
  deps: PassDeps,
  pass: Pass,
  signal: AbortSignal,
): Promise<'some' | 'skipped' | 'nothing'> {
  const { db, clock } = deps
  const { kind, work } = pass
  if (work.place === null) return 'nothing'
  const { files, end } = listNext(db, kind, { place: work.place, version: work.version })
  const findings = await lookAtAll(deps, kind, files, signal)
  if (files.length > 0 && findings.length === 0) return 'some'
  const to = findings.length === files.length ? end : files[findings.length - 1]!.rid
  if (findings.includes(null)) pass.hasSkipped = true
  const isOver = to === null && (pass.hasSkipped || !pass.isInherited)
  const isAnew = to === null && (pass.hasSkipped || pass.isInherited)
  const next = workAt(db, work, to)
  const operation = { number: work.operation }
  const keep = (tx: Tx): Work => {
    for (const finding of findings) finding?.(tx)
    // What was changed so far may be undone, however long something is refused.
    if (isAnew) return beginAnew(tx, deps, kind, isOver ? null : tx.operation)
    const moved = { ...next, operation: tx.operation }
    moveWork(tx, moved)
    return moved
  }
  const isWritten = findings.length > 0 || to === null
  pass.work = isWritten ? write(db, { now: clock(), operation }, keep) : next
  const { number } = operation
  if (isOver && number !== null) {
    const changes = { work: kind.name, operation: number, files: countEntries(db, number) }
    deps.log.info('the background has changed files', changes)
  }
  if (isAnew) {
    const { hasSkipped } = pass
    Object.assign(pass, { hasSkipped: false, isInherited: false })
    return hasSkipped ? 'skipped' : 'some'
  }
  if (findings.length > 0 && findings.every((finding) => finding === null)) {
    throw new Error('the system refuses to decode anything')
  }
  return 'some'
}

/** Returns what was found of the first files, until somebody asks for something or it is stopped. */
async function lookAtAll(
  deps: PassDeps,
  { look }: AnyKind,
  files: { rid: number }[],
  signal: AbortSignal,
): Promise<(Finding | null)[]> {
  const findings: (Finding | null)[] = []
  for (const file of files) {
    if (deps.activity.isBusy() || signal.aborted) break
    try {
      findings.push(await beforeAbort(look(deps, file, signal), signal))
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
  return findings
}

/** Returns how many files a kind of work has come past, and of how many, or null when it is over. */
export function passLeft(db: Db, { name }: AnyKind): Pick<Work, 'looked_at' | 'total'> | null {
  const work = findWork(db, name)
  if (!work || work.place === null) return null
  return { looked_at: work.looked_at, total: work.total }
}
