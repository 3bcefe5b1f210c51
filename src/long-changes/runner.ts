import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { Disk } from '../base/disk.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Clock } from '../base/time.ts'
import type { Db } from '../db/client.ts'
import { write } from '../db/write.ts'
import { type AnyLongChange, actorOf, FIRST_ROWS } from './change.ts'
import { deleteChange, findChange, listSubjects, subjectsOf, updateChange } from './queries.ts'

// The target for a portion, in milliseconds: less than half of what it may take.
const PORTION_TIME = 15
const ROWS = { least: 20, most: 20_000 }
// How long a change pauses after an error, such as a full disk, in milliseconds.
const REST = 10_000

interface Over {
  result: unknown
  /** The number of its operation; null when it did nothing that has an entry. */
  operation: number | null
}

/** Continues changes that have begun. */
export interface LongChanges {
  /**
   * Resolves when the change of a subject is finished. Rejects with conflict when another change ended it, with busy
   * when the server stops, and with any other error of the change, which then continues later.
   */
  over(subject: string): Promise<Over>
  /** Resolves when nothing that an operation began is under way any more. */
  allOver(operation: number | null): Promise<void>
  /** Continues all changes that are under way. */
  resume(): void
  /** Stops after the present portion of each change. */
  stop(): Promise<void>
}

export interface LongChangeOptions {
  db: Db
  log: Log
  clock: Clock
  kinds: AnyLongChange[]
  disk: Pick<Disk, 'requireRoomToWrite'>
  /** Rows of each portion; by default as many as take about 15 milliseconds. */
  rows?: number
  /** Called after each portion is committed, and awaited. */
  onPortion?: () => void | Promise<void>
}

/** Returns the runner of long changes, which must be the only one for its library. */
export function createLongChanges(options: LongChangeOptions): LongChanges {
  const { db, log, onPortion = () => {} } = options
  const running = new Map<string, { over: Promise<Over>; ended: Promise<void> }>()
  /** Subjects that had an error and are paused for a while. */
  const resting = new Set<string>()
  const stopped = new AbortController()

  /** Runs portion after portion, and then starts changes that the last one may have begun. */
  async function run(subject: string): Promise<Over> {
    let rows = options.rows ?? FIRST_ROWS
    for (;;) {
      // Other requests come first, because a portion holds them up.
      await setImmediate()
      if (stopped.signal.aborted) throw stopping()
      const begun = performance.now()
      const { spent, over } = step(options, subject, rows)
      // The same change may begin anew while the callers that wait for it are notified.
      if (over) running.delete(subject)
      if (!options.rows) rows = nextRows(rows, { spent, whole: performance.now() - begun })
      await onPortion()
      if (over) return over
      goOn()
    }
  }

  function start(subject: string): Promise<Over> {
    const known = running.get(subject)
    if (known) return known.over
    const over = run(subject)
    const ended = over.then(goOn, async (error) => {
      running.delete(subject)
      if (error instanceof LeftOff) return
      log.error('a change met an error and goes on later', { subject, error: error.stack })
      resting.add(subject)
      await rest()
      resting.delete(subject)
      if (!stopped.signal.aborted) start(subject)
    })
    running.set(subject, { over, ended })
    return over
  }

  async function rest(): Promise<void> {
    await delay(REST, undefined, { ref: false, signal: stopped.signal }).catch(() => {})
  }

  /** A portion may have begun another change. */
  function goOn(): void {
    if (stopped.signal.aborted) return
    try {
      resume()
    } catch (error) {
      log.error('the changes under way were not read', { error: (error as Error).stack })
    }
  }

  function resume(): void {
    // Callers that wait for a change get its error; no caller waits for those of an earlier server.
    for (const subject of listSubjects(db)) {
      if (!resting.has(subject)) start(subject).catch(() => {})
    }
  }

  return {
    over: start,
    async allOver(operation) {
      if (operation === null) return
      const awaited = new Set<string>()
      // The last portion of a change may have begun another one.
      for (;;) {
        const subjects = subjectsOf(db, operation).filter((subject) => !awaited.has(subject))
        if (subjects.length === 0) return
        for (const subject of subjects) awaited.add(subject)
        await Promise.allSettled(subjects.map(start))
      }
    },
    resume,
    async stop() {
      stopped.abort()
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}

// Runs the next portion; returns how long its work took, and the result of the change at its end.
function step(
  { db, clock, disk, kinds }: LongChangeOptions,
  subject: string,
  rows: number,
): { spent: number; over: Over | null } {
  return write(db, { now: clock() }, (tx) => {
    const change = findChange(tx, subject)
    if (!change) throw new LeftOff('conflict', 'Another change has ended this one')
    tx.operation = change.operation
    const kind = kinds.find((kind) => kind.kind === change.kind)
    if (!kind) throw new Error(`Nobody knows how to go on with ${change.kind}`)
    if (!kind.isDeletion) disk.requireRoomToWrite()
    const begun = performance.now()
    const done = kind.portion(tx, actorOf(change), JSON.parse(change.state) as never, rows)
    if ('result' in done) {
      deleteChange(tx, change.id)
      const over = { result: done.result, operation: tx.operation }
      return { spent: performance.now() - begun, over }
    }
    const state = JSON.stringify(done.rest)
    updateChange(tx, { id: change.id, operation: tx.operation, state })
    return { spent: performance.now() - begun, over: null }
  })
}

// Durations are in milliseconds: `spent` for the work of a portion, `whole` for all of it.
function nextRows(rows: number, { spent, whole }: { spent: number; whole: number }): number {
  // A slow disk, or another process that writes, takes as long for fewer rows.
  const isSlowed = whole > PORTION_TIME && spent < PORTION_TIME / 2
  // Half or double at most: one slow portion says little.
  const share = isSlowed ? 1 : Math.min(2, Math.max(0.5, PORTION_TIME / whole))
  return Math.min(ROWS.most, Math.max(ROWS.least, Math.round(rows * share)))
}

class LeftOff extends AppError {}

function stopping(): LeftOff {
  return new LeftOff('busy', 'The server is stopping; the change goes on when it starts again', {
    headers: { 'Retry-After': '30' },
  })
}
