import { LRUCache } from 'lru-cache'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/client.ts'
import { stateOf } from '../db/state.ts'
import type { Asked, Told } from './messages.ts'
import { createProcess, type ProcessOptions, tooLong } from './process.ts'
import type { Reader, Subject } from './question.ts'

/** How long an answer is waited for, and how long answering may take, in milliseconds. */
const PATIENCE = 10_000
/** How long a reader stays that nobody asks, in milliseconds. */
const IDLE = 30_000
/** How many questions may wait for one reader. */
const MOST_WAITING = 32
/** How many characters of answers are kept, and of their questions. */
const MOST_KEPT = 16 * 2 ** 20
/** What else each takes, in characters. */
const ENTRY = 200

interface Options extends ProcessOptions {
  db: Db
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
function createChild(options: Options): Child {
  const { patience = PATIENCE, idle = IDLE } = options.times ?? {}
  const reader = createProcess(options)
  const waiting: Waiting[] = []
  let [isAtWork, isClosed] = [false, false]
  let idleTimer: NodeJS.Timeout | undefined

  const work = async () => {
    isAtWork = true
    clearTimeout(idleTimer)
    for (let next = waiting[0]; next; next = waiting[0]) {
      await reader.answer(next.line, patience).then(next.settle, next.refuse)
      if (waiting[0] === next) waiting.shift()
    }
    isAtWork = false
    if (!isClosed) idleTimer = setTimeout(reader.end, idle).unref()
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
    isRunning: reader.isRunning,
    close() {
      isClosed = true
      clearTimeout(idleTimer)
      return reader.close()
    },
  }
}
