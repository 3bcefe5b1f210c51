import { setImmediate } from 'node:timers/promises'
import { MINUTE, type Wait } from '../base/time.ts'
import type { Db } from '../db/client.ts'
import { captures } from './captures.ts'
import { companions } from './companions.ts'
import { dates } from './dates.ts'
import { finer } from './finer.ts'
import { isFullDisk } from './kind.ts'
import { looks } from './looks.ts'
import { notes } from './notes.ts'
import { type AnyKind, beginPass, doPortion, type Pass, type PassDeps, passLeft } from './pass.ts'
import { findWork } from './queries.ts'

const KINDS: AnyKind[] = [notes, captures, looks, dates, finer, companions]
// How long the work pauses after an error, in milliseconds.
const REST = 10_000
// How long it pauses before it retries what the system or a full disk refused, in milliseconds.
const PAUSE = 10 * MINUTE

interface BackgroundDeps extends PassDeps {
  wait: Wait
}

/**
 * Adds what older files lack, the newest first, in portions while the server is idle. The place is in the database, so
 * that the next start continues there. What the system refuses is skipped, and tried again after the oldest file and a
 * pause. `over` resolves when nothing is left or it was stopped. `stop` waits for no file: the finding for the present
 * one is not written.
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
 * Returns how many files the current background work has passed, and the total; null when nothing is left but what the
 * system refused.
 */
export function workLeft(db: Db): { looked_at: number; total: number } | null {
  for (const kind of KINDS) {
    const left = passLeft(db, kind)
    if (left) return left
  }
  return null
}

/** Returns the number of the operation in which dates of older files were mended, null when none was. */
export function mendingOf(db: Db): number | null {
  return findWork(db, dates.name)?.operation ?? null
}

// The rids are of files to try again; null for what an earlier process has left.
interface Course {
  kind: AnyKind
  due: number[] | null
}

async function work(deps: BackgroundDeps, signal: AbortSignal): Promise<void> {
  let left: Course[] = KINDS.map((kind) => ({ kind, due: null }))
  while (left.length > 0) {
    const skipped: Course[] = []
    for (const course of left) {
      const rest = await goThrough(deps, course, signal)
      if (rest) skipped.push(rest)
    }
    if (signal.aborted) return
    if (skipped.length > 0) await deps.wait(PAUSE, signal).catch(() => {})
    left = skipped
  }
}

// Returns null, or what remains to be done later when the system has refused a part of it or the disk is full.
async function goThrough(
  deps: BackgroundDeps,
  { kind, due }: Course,
  signal: AbortSignal,
): Promise<Course | null> {
  let pass: Pass | undefined
  while (!signal.aborted) {
    try {
      pass ??= beginPass(deps, kind, due)
      await deps.activity.calm(signal)
      if (await doPortion(deps, pass, signal)) {
        return pass.refused.length > 0 ? leftOf(pass) : null
      }
      // Where files lack nothing, there is nothing else to wait for.
      await setImmediate()
    } catch (error) {
      if (signal.aborted) return null
      deps.log.warn('the background met an error and goes on later', { error: String(error) })
      // Another kind of work may need less room, or none.
      if (isFullDisk(error)) return pass ? leftOf(pass) : { kind, due }
      await deps.wait(REST, signal).catch(() => {})
    }
  }
  return null
}

function leftOf({ kind, due, refused }: Pass): Course {
  return { kind, due: [...due, ...refused].sort((one, other) => one - other) }
}
