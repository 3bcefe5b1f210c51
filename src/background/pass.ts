import { isUndone, undoSubject } from '../audit/undo-queries.ts'
import type { Db } from '../db/client.ts'
import { type Tx, type WriteDeps, write } from '../db/write.ts'
import { totalUsage } from '../files/usage/usage-queries.ts'
import type { Activity } from '../http/clients/activity.ts'
import { findChange } from '../long-changes/queries.ts'
import { beforeAbort } from '../time.ts'
import type { Finding, Kind, LookDeps, Looked } from './kind.ts'
import { beginWork, findWork, listNext, moveWork, type Work, workAt } from './queries.ts'

/** What a pass needs. */
export interface PassDeps extends WriteDeps, LookDeps {
  activity: Activity
}

/** A kind of work on files, whatever it needs to know of one. */
export type AnyKind = Kind<{ rid: number }>

/** One way through the files with a kind of work, the newest first. */
export interface Pass {
  kind: AnyKind
  /** How far it is, which is written down only together with findings and at the end. */
  work: Work
  /** Whether something was found in it, or may have been before a restart. */
  hasFound: boolean
  /** Whether the system refused something in it, or may have before a restart. */
  isRefused: boolean
}

/**
 * Returns the pass that an earlier process was on with this version of a kind of work, the next one if
 * that has ended and something was refused or not read, or one from the newest file on.
 */
export function beginPass(deps: PassDeps, kind: AnyKind): Pass {
  const { db, clock } = deps
  const { name } = kind
  const version = kind.version(deps)
  const known = findWork(db, name)
  const work = known?.version === version ? known : undefined
  if (work && (work.place !== null || work.again === null)) {
    return { kind, work, hasFound: true, isRefused: work.again !== null }
  }
  const from = work?.again ?? Number.MAX_SAFE_INTEGER
  const begun = write(db, { now: clock() }, (tx) => {
    const operation = openOperation(tx, known?.operation ?? null)
    return beginWork(tx, { name, version, from, total: totalUsage(tx).files, operation })
  })
  return { kind, work: begun, hasFound: false, isRefused: false }
}

/** Returns an operation, or null when it was undone or is being undone. */
function openOperation(tx: Tx, operation: number | null): number | null {
  if (operation === null || isUndone(tx, operation)) return null
  return findChange(tx, undoSubject(operation)) ? null : operation
}

/**
 * Does a portion, or less of it when somebody asks for something. Returns what is left to do after it:
 * `skipped` when that is only what the system refused; what can't be read is left to the next start.
 * Throws when everything is refused, and what a full disk makes of any file.
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
  const again = work.again ?? placeAbove(files[findings.findIndex((found) => !isFinding(found))])
  const next = { ...workAt(db, work, to), again }
  const operation = { number: work.operation }
  const keep = (tx: Tx): Work => {
    for (const finding of findings.filter(isFinding)) finding(tx)
    const moved = { ...next, operation: tx.operation }
    moveWork(tx, moved)
    return moved
  }
  const isWritten = findings.length > 0 || to === null
  pass.work = isWritten ? write(db, { now: clock(), operation }, keep) : next
  pass.hasFound ||= findings.some(isFinding)
  pass.isRefused ||= findings.includes(null)
  if (to === null) {
    if (pass.hasFound && operation.number !== null) {
      const changes = { work: kind.name, operation: operation.number }
      deps.log.info('the background has changed files', changes)
    }
    return pass.isRefused ? 'skipped' : 'nothing'
  }
  if (findings.length > 0 && findings.every((finding) => finding === null)) {
    throw new Error('the system refuses to decode anything')
  }
  return 'some'
}

function isFinding(found: Looked): found is Finding {
  return typeof found === 'function'
}

function placeAbove(file: { rid: number } | undefined): number | null {
  return file ? file.rid + 1 : null
}

/**
 * Returns what was found of the first files, until somebody asks for something, it is stopped or the disk
 * is full. Throws what a full disk makes of the very first.
 */
async function lookAtAll(
  deps: PassDeps,
  { look }: AnyKind,
  files: { rid: number }[],
  signal: AbortSignal,
): Promise<Looked[]> {
  const findings: Looked[] = []
  for (const file of files) {
    if (deps.activity.isBusy() || signal.aborted) break
    try {
      findings.push(await beforeAbort(look(deps, file, signal), signal))
    } catch (error) {
      if (signal.aborted || findings.length > 0) break
      throw error
    }
  }
  return findings
}

/**
 * Returns how many files a kind of work has come past, and of how many; null when it is over, or rests
 * before it comes back to what the system refused.
 */
export function passLeft(db: Db, { name }: AnyKind): Pick<Work, 'looked_at' | 'total'> | null {
  const work = findWork(db, name)
  if (!work || work.place === null) return null
  return { looked_at: work.looked_at, total: work.total }
}
