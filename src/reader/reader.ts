import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { keepAlive, killGroup, startProgram } from '../base/child-process.ts'
import { AppError, busy } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { PROGRAMS } from '../base/place.ts'
import type { Db } from '../db/client.ts'
import { stateOf } from '../db/state.ts'
import type { Asked, Begun, Told } from './messages.ts'
import type { Reader, Subject } from './question.ts'

/** How long an answer is waited for, and how long answering may take, in milliseconds. */
const PATIENCE = 10_000
/** How long a reader may take to start: on a busy machine, longer than somebody waits for an answer. */
const START_PATIENCE = 30_000
/** How long a reader stays that nobody asks, in milliseconds. */
const IDLE = 30_000
/** How long none is tried after one that couldn't read the library, in milliseconds. */
const PAUSE = 30_000
/** Bun's heap grows more slowly, and is collected more often, than for speed. */
const SMALL = 'Bun' in globalThis ? ['--smol'] : []
/** How many questions may wait for one reader. */
const MOST_WAITING = 32
/** How many characters of answers are kept, and of their questions. */
const MOST_KEPT = 16 * 2 ** 20
/** What else each takes, in characters. */
const ENTRY = 200

interface Options {
  db: Db
  /** The path of the database. */
  path: string
  /** What a reader may keep of its pages, in bytes. */
  cacheSize: number
  log: Log
  /** How long each may take, where that is not the usual. */
  times?: Partial<Record<'patience' | 'start' | 'idle' | 'pause', number>>
}

/** The readers of a server: a process for pages and one for overviews, each from its first question on. */
export interface Readers extends Reader {
  /** Ends them. */
  close(): Promise<void>
}

/**
 * Returns the readers of a server. The same question is asked once while it is answered, and its answer is kept as long
 * as nothing is written. A reader that takes too long, or is gone, costs its question `busy`, and the next one starts
 * another.
 */
export function createReaders(options: Options): Readers {
  const { db } = options
  const bySubject: Record<Subject, Child> = {
    page: createChild(options),
    overview: createChild(options),
  }
  const kept = new LRUCache<string, string>({
    maxSize: MOST_KEPT,
    sizeCalculation: (answer, line) => answer.length + line.length + ENTRY,
  })
  let keptOf = ''
  const stateNow = () => {
    const state = stateOf(db)
    if (state !== keptOf) kept.clear()
    keptOf = state
    return state
  }
  return {
    async ask(subject, name, given) {
      const asked: Asked = { name, given }
      const line = JSON.stringify(asked)
      const state = stateNow()
      const known = kept.get(line)
      const text = known ?? (await bySubject[subject].ask(line, state))
      if (text === null) return null
      const told: Told = JSON.parse(text)
      if ('answer' in told) {
        // What was written meanwhile may be in it or not.
        if (known === undefined && stateNow() === state) kept.set(line, text)
        return told
      }
      if ('error' in told) {
        const { code, message, details, headers } = told.error
        throw new AppError(code, message, { ...(details && { details }), headers })
      }
      throw new Error(`The reader failed: ${told.failed}`)
    },
    running: () => Object.values(bySubject).filter((child) => child.isRunning()).length,
    async close() {
      await Promise.all(Object.values(bySubject).map((child) => child.close()))
    },
  }
}

function tooLong(): AppError {
  return busy('It takes too long to find this now; try again')
}

/** A question that is answered, or waits for its turn. */
interface Waiting {
  line: string
  /** The state of the library when it was asked; empty for one that nobody waits for any more. */
  state: string
  promise: Promise<string | null>
  settle(answer: string | null): void
  refuse(error: unknown): void
}

function waitFor(line: string, state: string): Waiting {
  let settle!: Waiting['settle']
  let refuse!: Waiting['refuse']
  const promise = new Promise<string | null>((resolve, reject) => {
    settle = resolve
    refuse = reject
  })
  return { line, state, promise, settle, refuse }
}

interface Child {
  /** Returns the line that tells the answer, or null where no reader can read the library. */
  ask(line: string, state: string): Promise<string | null>
  isRunning(): boolean
  close(): Promise<void>
}

type Program = Awaited<ReturnType<typeof startProgram>>

/** Returns a reader that starts with its first question, and answers one after the other. */
function createChild({ path, cacheSize, log, times = {} }: Options): Child {
  const { patience = PATIENCE, start = START_PATIENCE, idle = IDLE, pause = PAUSE } = times
  const waiting: Waiting[] = []
  let current: Program | null = null
  let ended: Promise<unknown> = Promise.resolve()
  let [isAtWork, isClosed] = [false, false]
  let unableSince = Number.NEGATIVE_INFINITY
  /** How many in a row have ended before they said anything. */
  let silent = 0
  let idleTimer: NodeJS.Timeout | undefined

  const kill = () => {
    if (current) killGroup(current.child)
    current = null
  }

  /** Returns the next line of a reader, or undefined when it has ended, or was killed for taking too long. */
  const lineWithin = async ({ lines, child }: Program, ms: number): Promise<string | undefined> => {
    const done = new AbortController()
    const { signal } = done
    const late = delay(ms, undefined, { ref: false, signal }).catch(() => undefined)
    const next = lines.next().then(
      ({ value }) => value ?? undefined,
      () => undefined,
    )
    const line = await Promise.race([next, late])
    done.abort()
    if (line === undefined) killGroup(child)
    return line
  }

  /**
   * Returns a reader that is ready, or null where none can read the library. Throws busy for one that was killed, or
   * took too long; of two in a row, none is expected any more.
   */
  const begin = async (): Promise<Program | null> => {
    if (performance.now() - unableSince < pause) return null
    let why: unknown
    try {
      const begun = await startProgram([...SMALL, PROGRAMS.reader, path, String(cacheSize)], {
        cwd: '/',
      })
      keepAlive(begun.child, false)
      current = begun
      // One that ends while nobody asks is missed by nobody.
      const forget = () => {
        if (current === begun) current = null
      }
      ended = begun.closed.then(forget, forget)
      const line = isClosed ? undefined : await lineWithin(begun, start)
      silent = line === undefined ? silent + 1 : 0
      const told: Begun =
        line === undefined ? { ready: false, why: begun.errors() } : JSON.parse(line)
      if (told.ready) return begun
      why = told.why
    } catch (error) {
      why = error
    }
    kill()
    if (isClosed) return null
    if (silent === 1) throw tooLong()
    log.warn('finding holds others up: no reader can read the library', { error: String(why) })
    unableSince = performance.now()
    return null
  }

  /** Answers a question by a line, by null when nobody can read the library, by a refusal when the reader has ended. */
  const answer = async ({ line, settle, refuse }: Waiting) => {
    try {
      const reader = isClosed ? null : (current ?? (await begin()))
      if (isClosed) return refuse(tooLong())
      if (!reader) return settle(null)
      reader.child.stdin.write(`${line}\n`)
      const told = await lineWithin(reader, patience)
      if (told !== undefined) return settle(told)
      kill()
    } catch (error) {
      return refuse(error)
    }
    if (!isClosed) log.warn('a question is not answered: its reader was too slow, or has ended')
    refuse(tooLong())
  }

  const work = async () => {
    isAtWork = true
    clearTimeout(idleTimer)
    for (let next = waiting[0]; next; next = waiting[0]) {
      await answer(next)
      if (waiting[0] === next) waiting.shift()
    }
    isAtWork = false
    if (!isClosed) idleTimer = setTimeout(kill, idle).unref()
  }

  return {
    ask(line, state) {
      // What was written since another asked the same may be missing in its answer.
      const same = waiting.find((other) => other.line === line && other.state === state)
      if (same) return same.promise
      if (waiting.length >= MOST_WAITING) return Promise.reject(tooLong())
      const asked = waitFor(line, state)
      const timer = setTimeout(() => {
        // Who waited for the answers to others is not answered any more; one that is being answered goes on.
        const at = waiting.indexOf(asked)
        if (at > 0) waiting.splice(at, 1)
        asked.state = ''
        asked.refuse(tooLong())
      }, patience)
      const stop = () => clearTimeout(timer)
      asked.promise.then(stop, stop)
      waiting.push(asked)
      if (!isAtWork) void work()
      return asked.promise
    },
    isRunning: () => current !== null,
    async close() {
      isClosed = true
      clearTimeout(idleTimer)
      if (current) keepAlive(current.child, true)
      kill()
      await ended
    },
  }
}
