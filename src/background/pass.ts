import { isUndone, undoSubject } from '../audit/undo-queries.ts'
import { beforeAbort } from '../base/time.ts'
import type { Db } from '../db/client.ts'
import { type Tx, type WriteDeps, write } from '../db/write.ts'
import { totalUsage } from '../files/usage/usage-queries.ts'
import type { Activity } from '../http/clients/activity.ts'
import { findChange } from '../long-changes/queries.ts'
import { type Finding, type Kind, type LookDeps, type Looked, PORTION } from './kind.ts'
import { addOwed, listOwed, removeOwed } from './owed-queries.ts'
import { beginWork, findWork, listNext, moveWork, type Work, workAt } from './queries.ts'

export interface PassDeps extends WriteDeps, LookDeps {
  activity: Activity
}

/** A kind of work on files, whatever it has to read about each. */
export type AnyKind = Kind<{ rid: number }>

/** One way through the files with a kind of work, the newest first, and then through those due. */
export interface Pass {
  kind: AnyKind
  /** Its progress, which is stored only together with findings and at the end. */
  work: Work
  /** The rids of the files to be tried again after the oldest one, the next one last. */
  due: number[]
  /** The rids of the files that the system has refused in this pass. */
  refused: number[]
  /** Whether something was found in this pass, or may have been before a restart. */
  hasFound: boolean
}

/**
 * Returns the pass that an earlier process has begun with this version of a kind of work, or one from the newest file
 * on. `due` is what it tries again, by default everything that an earlier process has left.
 */
export function beginPass(deps: PassDeps, kind: AnyKind, due: number[] | null): Pass {
  const { db, clock } = deps
  const { name } = kind
  const version = kind.version(deps)
  const known = findWork(db, name)
  if (known?.version !== version) {
    const work = write(db, { now: clock() }, (tx) => {
      const operation = openOperation(tx, known?.operation ?? null)
      return beginWork(tx, { name, version, total: totalUsage(tx).files, operation })
    })
    return { kind, work, due: [], refused: [], hasFound: false }
  }
  const hasFound = known.place !== null || known.due !== null
  const pass = { kind, work: known, due: due ?? leftBefore(db, kind), refused: [], hasFound }
  const left = pass.due.length || null
  if (known.place !== null || known.due === left) return pass
  const work = write(db, { now: clock() }, (tx) => {
    const operation = openOperation(tx, known.operation)
    const begun = { ...known, due: left, operation }
    moveWork(tx, begun)
    return begun
  })
  return { ...pass, work }
}

function leftBefore(db: Db, { name, listDue }: AnyKind): number[] {
  const rids = new Set([...listOwed(db, name), ...(listDue?.(db) ?? [])])
  return [...rids].sort((one, other) => one - other)
}

// Returns null when the operation was undone or is being undone.
function openOperation(tx: Tx, operation: number | null): number | null {
  if (operation === null || isUndone(tx, operation)) return null
  return findChange(tx, undoSubject(operation)) ? null : operation
}

/**
 * Does a portion, or less of it when a request comes in, and returns whether the pass is over. Contents that can't be
 * read are left to the next start. Throws when everything is refused, and the errors of a full disk.
 */
export async function doPortion(deps: PassDeps, pass: Pass, signal: AbortSignal): Promise<boolean> {
  const { db, clock } = deps
  const { kind, work } = pass
  if (isOver(pass)) return true
  const { files, end, due } = nextPortion(db, pass)
  const findings = await lookAtAll(deps, kind, files, signal)
  if (files.length > 0 && findings.length === 0) return false
  const isWhole = findings.length === files.length
  const last = files[findings.length - 1]?.rid ?? null
  const place = work.place === null || isWhole ? end : last
  const tried = isWhole ? due : due.slice(0, due.indexOf(last!) + 1)
  const left = pass.due.slice(0, pass.due.length - tried.length)
  const next = { ...workAt(db, work, place), due: left.length || null }
  const operation = { number: work.operation }
  const ridsOf = (isSo: (found: Looked) => boolean) =>
    findings.flatMap((found, n) => (isSo(found) ? [files[n]!.rid] : []))
  const keep = (tx: Tx): Work => {
    for (const found of findings) {
      const finding = isFinding(found) ? found : found?.meanwhile
      finding?.(tx)
    }
    for (const rid of tried) removeOwed(tx, kind.name, rid)
    for (const rid of ridsOf((found) => !isFinding(found))) addOwed(tx, kind.name, rid)
    const moved = { ...next, operation: tx.operation }
    moveWork(tx, moved)
    return moved
  }
  const isWritten = findings.length > 0 || tried.length > 0 || place === null
  pass.work = isWritten ? write(db, { now: clock(), operation }, keep) : next
  pass.due = left
  pass.refused.push(...ridsOf((found) => found === null))
  pass.hasFound ||= findings.some(isFinding)
  if (isOver(pass)) {
    if (pass.hasFound && operation.number !== null) {
      const changes = { work: kind.name, operation: operation.number }
      deps.log.info('the background has changed files', changes)
    }
    return true
  }
  if (findings.length > 0 && findings.every((found) => found === null)) {
    throw new Error('the system refuses to decode anything')
  }
  return false
}

// Among the newest files, also returns the place after them, null for the end. After the oldest one, returns those of
// the due files that still lack something.
function nextPortion(
  db: Db,
  { kind, work: { place, version }, due }: Pass,
): { files: { rid: number }[]; end: number | null; due: number[] } {
  if (place !== null) return { ...listNext(db, kind, { place, version }), due: [] }
  const rids = due.slice(-PORTION).reverse()
  const files = rids.flatMap((rid) => kind.list(db, { place: rid + 1, least: rid, version }))
  return { files, end: null, due: rids }
}

function isOver({ work, due }: Pass): boolean {
  return work.place === null && due.length === 0
}

function isFinding(found: Looked): found is Finding {
  return typeof found === 'function'
}

// Stops at a request, when it is aborted or when the disk is full. Throws an error of a full disk only for the very
// first file.
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
 * Returns how many files a kind of work has passed, and the total; null when it is finished, or pauses before it
 * retries what the system refused.
 */
export function passLeft(db: Db, { name }: AnyKind): Pick<Work, 'looked_at' | 'total'> | null {
  const work = findWork(db, name)
  if (!work) return null
  const { place, looked_at, total, due } = work
  if (place !== null) return { looked_at, total }
  return due === null ? null : { looked_at: total - due, total }
}
