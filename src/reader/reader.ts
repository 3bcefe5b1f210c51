import { createBoundedMap } from '../bounded-map.ts'
import { keepAlive, killGroup, startProgram } from '../child-process.ts'
import type { Db } from '../db/client.ts'
import { stateOf } from '../db/state.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { PROGRAMS } from '../place.ts'
import type { Asked, Begun, Told } from './messages.ts'
import type { Reader, Subject } from './question.ts'

/** How long an answer is waited for, and how long answering may take, in milliseconds. */
const PATIENCE = 10_000
/** How long a reader may take to start: on a busy machine, longer than somebody waits for an answer. */
const START_PATIENCE = 30_000
/** How long a reader is kept that nobody asks, and none is tried after one that couldn't, in milliseconds. */
const IDLE = 30_000
/** How many questions may wait for one reader. */
const MOST_WAITING = 32
/** How many characters of answers are kept. */
const MOST_KEPT = 16 * 2 ** 20
interface Options {
  db: Db
  /** The path of the database. */
  path: string
  /** What a reader may keep of its pages, in bytes. */
  cacheSize: number
  log: Log
  /** How long each may take, where that is not the usual. */
  times?: { patience: number; start: number; idle: number }
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
  const kept = createBoundedMap<string, string>(MOST_KEPT, (answer) => answer.length)
  let keptOf = ''
  const stateNow = () => {
    const state = stateOf(db)
    if (state !== keptOf) for (const key of [...kept.keys()]) kept.delete(key)
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

function busy(): AppError {
  return new AppError('busy', 'It takes too long to find this now; try again', {
    headers: { 'Retry-After': '5' },
  })
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

/** Returns a reader that starts with its first question, and answers one after the other. */
function createChild({ path, cacheSize, log, times }: Options): Child {
  const { patience, start, idle } = times ?? {
    patience: PATIENCE,
    start: START_PATIENCE,
    idle: IDLE,
  }
  const waiting: Waiting[] = []
  let process: Awaited<ReturnType<typeof startProgram>> | null = null
  let [isAtWork, isClosed] = [false, false]
  let unableSince = Number.NEGATIVE_INFINITY
  let idleTimer: NodeJS.Timeout | undefined

  const kill = () => {
    if (process) killGroup(process.child)
    process = null
  }

  /** Returns the next line of the process, or undefined when it has ended or was killed for taking too long. */
  const lineWithin = async (ms: number): Promise<string | undefined> => {
    const { lines } = process!
    const timer = setTimeout(kill, ms).unref()
    const { value } = await lines.next().finally(() => clearTimeout(timer))
    return value ?? undefined
  }

  /** Returns whether the process can read the library; undefined when it has ended. */
  const begin = async (): Promise<boolean | undefined> => {
    const begun = await startProgram([PROGRAMS.reader, path, String(cacheSize)], { cwd: '/' })
    process = begun
    keepAlive(begun.child, false)
    // One that ends while nobody asks is missed by nobody.
    const forget = () => {
      if (process === begun) process = null
    }
    begun.closed.then(forget, forget)
    const line = await lineWithin(start)
    if (line === undefined) return undefined
    const told: Begun = JSON.parse(line)
    if (!told.ready) {
      log.warn('finding holds others up: no reader can open the database', { error: told.why })
      unableSince = performance.now()
      kill()
    }
    return told.ready
  }

  /** Returns the answer to a question, null when nobody can read the library, undefined when the process has ended. */
  const answer = async (line: string): Promise<string | null | undefined> => {
    if (isClosed) return undefined
    if (!process) {
      if (performance.now() - unableSince < idle) return null
      const isReady = await begin()
      if (!isReady) return isReady === undefined ? undefined : null
    }
    process!.child.stdin.write(`${line}\n`)
    return lineWithin(patience)
  }

  const work = async () => {
    isAtWork = true
    clearTimeout(idleTimer)
    for (let next = waiting[0]; next; next = waiting[0]) {
      try {
        const told = await answer(next.line)
        if (told !== undefined) next.settle(told)
        else {
          log.warn('a question is not answered: the reader was too slow, or has ended')
          kill()
          next.refuse(busy())
        }
      } catch (error) {
        kill()
        next.refuse(error)
      }
      if (waiting[0] === next) waiting.shift()
    }
    isAtWork = false
    idleTimer = setTimeout(kill, idle).unref()
  }

  return {
    ask(line, state) {
      // What was written since another asked the same may be missing in its answer.
      const same = waiting.find((other) => other.line === line && other.state === state)
      if (same) return same.promise
      if (waiting.length >= MOST_WAITING) return Promise.reject(busy())
      const asked = waitFor(line, state)
      const timer = setTimeout(() => {
        // Who waited for the answers to others is not answered any more; one that is being answered goes on.
        const at = waiting.indexOf(asked)
        if (at > 0) waiting.splice(at, 1)
        asked.state = ''
        asked.refuse(busy())
      }, patience)
      const stop = () => clearTimeout(timer)
      asked.promise.then(stop, stop)
      waiting.push(asked)
      if (!isAtWork) void work()
      return asked.promise
    },
    isRunning: () => process !== null,
    async close() {
      isClosed = true
      clearTimeout(idleTimer)
      const ended = process?.closed
      if (process) keepAlive(process.child, true)
      kill()
      await ended?.catch(() => {})
    },
  }
}
