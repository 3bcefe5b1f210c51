import { setTimeout as delay } from 'node:timers/promises'
import { keepAlive, killGroup, startProgram } from '../base/child-process.ts'
import { type AppError, busy } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { PROGRAMS } from '../base/paths.ts'
import type { Begun } from './messages.ts'

// How long a reader may take to start: on a busy machine, longer than a caller waits for an answer.
const START_PATIENCE = 30_000
// How long no reader is started after one that couldn't read the library, in milliseconds.
const PAUSE = 30_000
// Makes Bun's heap grow more slowly and be collected more often, at the cost of speed.
const SMALL = 'Bun' in globalThis ? ['--smol'] : []

export interface ProcessOptions {
  /** The path of the database. */
  path: string
  /** Bytes of the database's pages that a reader may cache. */
  cacheSize: number
  log: Log
  /** Milliseconds that differ from the usual ones. */
  times?: Partial<Record<'patience' | 'start' | 'idle' | 'pause', number>>
}

interface ReaderProcess {
  /**
   * Returns the line with the answer, or null where no reader can read the library. Throws busy when it takes longer
   * than `patience` milliseconds, or ends.
   */
  answer(line: string, patience: number): Promise<string | null>
  /** Ends it; the next question starts another. */
  end(): void
  isRunning(): boolean
  close(): Promise<void>
}

type Program = Awaited<ReturnType<typeof startProgram>>

/** Returns the error for a question that takes too long. */
export function tooLong(): AppError {
  return busy('It takes too long to find this now; try again')
}

/** Returns the process of a reader, which is not running yet. */
export function createProcess({ path, cacheSize, log, times = {} }: ProcessOptions): ReaderProcess {
  const { start = START_PATIENCE, pause = PAUSE } = times
  let current: Program | null = null
  let ended: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let unableSince = Number.NEGATIVE_INFINITY
  // How many in a row have ended before they said anything.
  let silent = 0

  const kill = () => {
    if (current) killGroup(current.child)
    current = null
  }

  // Null where no reader can read the library. One that was killed or took too long is busy; two in a row are null.
  const begin = async (): Promise<Program | null> => {
    if (performance.now() - unableSince < pause) return null
    let why: unknown
    try {
      const begun = await startReader(path, cacheSize)
      current = begun
      // A reader that ends without a question is not missed.
      const forgetProcess = () => {
        if (current === begun) current = null
      }
      ended = begun.closed.then(forgetProcess, forgetProcess)
      const line = isClosed ? undefined : await lineWithin(begun, start)
      silent = line === undefined ? silent + 1 : 0
      const first: Begun | null = line === undefined ? null : JSON.parse(line)
      if (first?.ready) return begun
      why = first ? first.why : begun.errors()
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

  return {
    async answer(line, patience) {
      const reader = isClosed ? null : (current ?? (await begin()))
      if (isClosed) throw tooLong()
      if (!reader) return null
      reader.child.stdin.write(`${line}\n`)
      const first = await lineWithin(reader, patience)
      if (first !== undefined) return first
      kill()
      if (!isClosed) log.warn('a question is not answered: its reader was too slow, or has ended')
      throw tooLong()
    },
    end: kill,
    isRunning: () => current !== null,
    async close() {
      isClosed = true
      if (current) keepAlive(current.child, true)
      kill()
      await ended
    },
  }
}

async function startReader(path: string, cacheSize: number): Promise<Program> {
  const program = [...SMALL, PROGRAMS.reader, path, String(cacheSize)]
  const begun = await startProgram(program, { cwd: '/' })
  keepAlive(begun.child, false)
  return begun
}

// Returns undefined when the reader has ended, or was killed for taking too long.
async function lineWithin({ lines, child }: Program, ms: number): Promise<string | undefined> {
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
