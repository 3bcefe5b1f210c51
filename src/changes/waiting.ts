import { randomBytes } from 'node:crypto'
import { unauthorized } from '../auth/guard.ts'
import type { Seal } from '../auth/seal.ts'
import { AppError, busy, invalid } from '../base/errors.ts'
import { beforeAbort, type Clock, type Wait } from '../base/time.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { type Look, lookAround, oldestEntry, writtenBetween } from './change-queries.ts'
import { concernOf, mentionsOf } from './concern.ts'
import { type FileChanges, MOST_FILES } from './schema.ts'

/** Milliseconds between two looks at the library, for all who wait. */
const INTERVAL = 1000
const MOST_WAITING = 200
// Bounds the time of a look while very much changes. The rest is read by the next looks.
const ENTRIES = 1000

export interface ChangesDeps {
  db: Db
  clock: Clock
  wait: Wait
  seal: Seal
  stopping: AbortController
}

interface Asked {
  since?: string | undefined
  /** Seconds. */
  wait: number
}

/** Requests that wait for changes. */
interface Changes {
  /**
   * Returns what has changed for the caller as soon as something has, or nothing after `wait` seconds. Throws a
   * validation error for a `since` that is none, unauthorized when the session ends, conflict when another request of
   * the session comes, and busy when too many are waiting or the server stops. Ends early when the signal
   * reports that the client has hung up.
   */
  next(
    session: { session_id: number; user: User },
    asked: Asked,
    signal: AbortSignal,
  ): Promise<FileChanges>
}

interface Waiter {
  session_id: number
  user_id: number
  /** The last entry of the audit log that has been read for it. */
  after: number
  /** Whether its answer will be `many` once no long change is under way: one was when it read last. */
  isOwed: boolean
  /** How many more looks it waits for. */
  left: number
  end(outcome: FileChanges | Error): void
}

/** Returns the requests that wait for changes of the library, none at first. */
export function createChanges(deps: ChangesDeps): Changes {
  const { db, clock, seal, stopping } = deps
  // A library that was restored may have had other entries under the same numbers.
  const run = randomBytes(8).toString('hex')
  const waiting = new Map<number, Waiter>()
  let isLooking = false

  const isStopping = () => busy('The server is stopping')
  const placeOf = (user_id: number, entry: number, isOwed: boolean) =>
    seal.close(user_id, `${run} ${entry}${isOwed ? ' owed' : ''}`)
  // A long change goes on with what its entry says, and writes none at its end.
  const placeNow = ({ id, last, under_way }: Look) => placeOf(id, last, under_way > 0)

  /** Returns where a caller has stopped reading; null when that can't be said any more. */
  function openPlace(user_id: number, since: string, last: number) {
    const opened = seal.open(user_id, since)
    if (opened === null) throw invalid('since', 'must be the `next` of an earlier answer')
    const [ofRun, entry, owed] = opened.split(' ')
    const after = Number(entry)
    if (ofRun !== run || after > last) return null
    const isMissing = after < last && (oldestEntry(db) ?? last + 1) > after + 1
    return isMissing ? null : { after, isOwed: owed !== undefined }
  }

  /** Reads on for waiters, and returns the answer of each one that has one. */
  function createReading() {
    const read = new Map<number, ReturnType<typeof readAfter>>()
    const found = new Map<string, ReturnType<typeof concernOf>>()

    function readAfter(after: number, last: number) {
      const entries = writtenBetween(db, { after, last, limit: ENTRIES })
      const end = entries.length < ENTRIES ? last : entries.at(-1)!.id
      return { end, mentions: mentionsOf(db, entries) }
    }

    return (waiter: Waiter, look: Look): FileChanges | null => {
      let isMany = waiter.isOwed && look.under_way === 0
      if (!isMany && waiter.after < look.last) {
        const { after } = waiter
        const { end, mentions } = read.get(after) ?? readAfter(after, look.last)
        read.set(after, { end, mentions })
        const key = `${look.id} ${after}`
        const { files, isMore } = found.get(key) ?? concernOf(db, look, mentions)
        found.set(key, { files, isMore })
        isMany = isMore || files.length > MOST_FILES
        if (!isMany && files.length > 0) {
          return { next: placeOf(look.id, end, waiter.isOwed), files }
        }
        waiter.after = end
      }
      return isMany ? { next: placeNow(look), files: 'many' } : null
    }
  }

  const timeUp = ({ user_id, after, isOwed }: Waiter): FileChanges => ({
    next: placeOf(user_id, after, isOwed),
    files: [],
  })

  function lookForAll(): void {
    const alive = lookAround(db, [...waiting.keys()], clock())
    const looks = new Map(alive.map((look) => [look.session_id, look]))
    const readOn = createReading()
    for (const waiter of [...waiting.values()]) {
      const look = looks.get(waiter.session_id)
      const answer = look ? readOn(waiter, look) : unauthorized()
      waiter.left--
      if (answer) waiter.end(answer)
      else if (waiter.left <= 0) waiter.end(timeUp(waiter))
    }
  }

  function endAll(error: Error): void {
    for (const waiter of [...waiting.values()]) waiter.end(error)
  }

  async function goOnLooking(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      while (waiting.size > 0) {
        await beforeAbort(deps.wait(INTERVAL, stopping.signal), stopping.signal)
        if (waiting.size > 0) lookForAll()
      }
    } catch (error) {
      endAll(stopping.signal.aborted ? isStopping() : (error as Error))
    } finally {
      isLooking = false
    }
  }

  function queueUp(waiter: Omit<Waiter, 'end'>, signal: AbortSignal): Promise<FileChanges> {
    const { session_id } = waiter
    if (stopping.signal.aborted) throw isStopping()
    if (waiting.size >= MOST_WAITING) throw busy('Too many are waiting for changes')
    return new Promise((resolve, reject) => {
      const end = (outcome: FileChanges | Error) => {
        signal.removeEventListener('abort', hangUp)
        waiting.delete(session_id)
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      }
      const queued = { ...waiter, end }
      const hangUp = () => end(timeUp(queued))
      signal.addEventListener('abort', hangUp)
      waiting.set(session_id, queued)
      if (signal.aborted) hangUp()
      else void goOnLooking()
    })
  }

  return {
    async next({ session_id, user }, { since, wait: left }, signal) {
      const [look] = lookAround(db, [session_id], clock())
      if (!look) throw unauthorized()
      waiting.get(session_id)?.end(new AppError('conflict', 'Another request of the session came'))
      const user_id = user.id
      if (since === undefined) return { next: placeNow(look), files: [] }
      const place = openPlace(user_id, since, look.last)
      if (place === null) return { next: placeNow(look), files: 'many' }
      const waiter = { session_id, user_id, ...place, left, end: () => {} }
      const answer = createReading()(waiter, look)
      if (answer) return answer
      return left === 0 ? timeUp(waiter) : queueUp(waiter, signal)
    },
  }
}
