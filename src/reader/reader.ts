import { LRUCache } from 'lru-cache'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/client.ts'
import { stateOf } from '../db/per-connection.ts'
import type { Answer, Asked } from './messages.ts'
import { createProcess, type ProcessOptions, tooLong } from './process.ts'
import type { Input, Reader, Subject } from './question.ts'

// How long a question may wait for its turn, and how long answering may take, in milliseconds.
const PATIENCE = 10_000
// How long a reader without questions stays, in milliseconds.
const IDLE = 30_000
const MOST_WAITING = 32
const MOST_OF_ONE_USER = 8
// Characters of cached answers, including their questions.
const MOST_CACHED = 16 * 2 ** 20
// The overhead of each cached answer, in characters.
const ENTRY = 200

interface Options extends ProcessOptions {
  db: Db
}

/** The readers of a server: a process for pages and one for overviews, each started by its first question. */
export interface Readers extends Reader {
  close(): Promise<void>
}

/**
 * Returns the readers of a server. While a question is being answered, the same question is not asked again, and its
 * answer is cached as long as nothing is written. If a reader takes too long, or is gone, its question gets `busy`, and
 * the next question starts another reader.
 */
export function createReaders(options: Options): Readers {
  const { db } = options
  const bySubject: Record<Subject, Child> = {
    page: createChild(options),
    overview: createChild(options),
  }
  const cache = new LRUCache<string, string>({
    maxSize: MOST_CACHED,
    sizeCalculation: (answer, line) => answer.length + line.length + ENTRY,
  })
  let cachedState = ''
  const stateNow = () => {
    const state = stateOf(db)
    if (state !== cachedState) cache.clear()
    cachedState = state
    return state
  }
  return {
    async ask(subject, name, given) {
      const asked: Asked = { name, given }
      const line = JSON.stringify(asked)
      const state = stateNow()
      const known = cache.get(line)
      const text = known ?? (await bySubject[subject].ask({ line, state, user: userOf(given) }))
      if (text === null) return null
      const reply: Answer = JSON.parse(text)
      if ('answer' in reply) {
        // The answer may or may not include what was written meanwhile.
        if (known === undefined && stateNow() === state) cache.set(line, text)
        return reply
      }
      if ('error' in reply) {
        const { code, message, details, headers } = reply.error
        throw new AppError(code, message, { ...(details && { details }), headers })
      }
      throw new Error(`The reader failed: ${reply.failed}`)
    },
    running: () => Object.values(bySubject).filter((child) => child.isRunning()).length,
    async close() {
      await Promise.all(Object.values(bySubject).map((child) => child.close()))
    },
  }
}

function userOf(given: Input): number {
  return ('viewer' in given ? given : given.list).viewer.id
}

interface Asking {
  line: string
  /** The state of the library when it was asked; empty when its answer is no longer awaited. */
  state: string
  user: number
}

interface Waiting extends Asking {
  promise: Promise<string | null>
  settle(answer: string | null): void
  refuse(error: unknown): void
}

function waitFor(asking: Asking): Waiting {
  let settle!: Waiting['settle']
  let refuse!: Waiting['refuse']
  const promise = new Promise<string | null>((resolve, reject) => {
    settle = resolve
    refuse = reject
  })
  return { ...asking, promise, settle, refuse }
}

interface Child {
  /** Returns the line with the answer, or null where no reader can read the library. */
  ask(asking: Asking): Promise<string | null>
  isRunning(): boolean
  close(): Promise<void>
}

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
    ask({ line, state, user }) {
      // An answer to the same question in an earlier state may lack what was written since.
      const same = waiting.find((other) => other.line === line && other.state === state)
      if (same) return same.promise
      const own = waiting.filter((other) => other.user === user)
      if (waiting.length >= MOST_WAITING || own.length >= MOST_OF_ONE_USER) {
        return Promise.reject(tooLong())
      }
      const asked = waitFor({ line, state, user })
      const timer = setTimeout(() => {
        // A question that waits too long for its turn is refused; one that is being answered goes on.
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
