import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Log } from '../../log.ts'
import type { PictureSource } from '../child/extract.ts'
import {
  childEnvironment,
  endWithThisProcess,
  keepAlive,
  lastWords,
  onLine,
  runtimeArguments,
} from '../child-process.ts'
import type { DerivativeKind } from '../data-folder.ts'
import { BOUNDED_ENVIRONMENT, limitMemory, type Tier } from '../memory.ts'
import type { Failure } from '../outcome.ts'

/**
 * What the child can be asked for; `output` is the file that it writes. With a thumbnail it may write
 * the larger one, too, to `output640`.
 */
export type Request =
  | { op: 'exif'; path: string; mime_type: string }
  | { op: 'look'; path: string; mime_type: string; thumbnail: string | null }
  | { op: 'grey'; path: string }
  | ({ op: DerivativeKind; output: string; output640?: string | undefined } & PictureSource)

/**
 * The kind of the child, and milliseconds of processor time: what earlier jobs for the same file have taken, and what it may take in
 * all, if that doesn't depend on the file.
 */
export interface Allowed {
  tier: Tier
  spent: number
  limit: number | undefined
}

/**
 * What the child says about a job. `waiting` and the milliseconds of processor time that its file may take,
 * as far as is known by now, leave it under way; anything else ends it, and may tell how many of them its
 * programs took.
 */
export type Message =
  | { id: number; waiting: boolean }
  | { id: number; limit: number }
  | Ended
  | { id: number; error: { message: string; code: string | undefined } }

/** What the child says at the end of a job that was done, or could not be. */
export type Ended = { id: number; programs?: number } & ({ result: unknown } | Failure)

/** What it says of itself; `slowness` is how many times as long as where limits were chosen it needs. */
export type Signal = { ready: true; slowness: number } | { pong: true }

/** What it has taken when it says something: milliseconds of processor time, and bytes of memory now. */
export interface Taken {
  cpu: number
  rss: number
}
type Said = (Message | Signal) & Taken

/** One run of the child. */
export interface DecoderProcess {
  send(id: number, request: Request, allowed: Allowed): void
  /** Asks for a sign of life; when none comes within the silence limit, the child is killed. */
  ping(): void
  kill(): void
}

/** How a child ended: a signal, an exit code or an error, and the end of its standard error. */
export interface End {
  pid: number | undefined
  how: string
  stderr: string
}

interface Handlers {
  onReady: (pid: number, slowness: number) => void
  /** Called with each message before it is heard. */
  onTaken: (taken: Taken) => void
  onMessage: (message: Message) => void
  /** Called when the child is gone and everything that it said has been heard. */
  onEnd: (end: End) => void
}

const CHILD = fileURLToPath(new URL('../child/main.ts', import.meta.url))
/** Milliseconds; a small, busy machine takes seconds to load sharp through tsx. */
const START_LIMIT = 60_000
const STDERR_KEPT = 2000
/**
 * Either runtime decodes in as many threads, and would have only two or four of them: more than the jobs
 * in flight, or slow ones would leave none to the next.
 */
const THREADS = '10'

/**
 * Starts a child that may take so many bytes of memory, null for any; `silenceLimit` is in milliseconds.
 * Throws when the system has no files to spare.
 */
export function startProcess(
  { memory, silenceLimit }: { memory: number | null; silenceLimit: number },
  log: Log,
  handlers: Handlers,
): DecoderProcess {
  const bound = memory === null ? '' : limitMemory(memory, true)
  const program = [process.execPath, ...runtimeArguments(), CHILD]
  const child = spawn('/bin/sh', ['-c', `${bound} exec "$0" "$@"`, ...program], {
    // It reads strangers' bytes, so it gets no secrets.
    env: { ...childEnvironment(), ...BOUNDED_ENVIRONMENT, UV_THREADPOOL_SIZE: THREADS },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  if (!child.stdin || !child.stdout || !child.stderr) {
    // Its `error` event comes later, when there may be another child.
    child.on('error', () => {})
    throw new Error('the system has no open files to spare for a decoder')
  }
  const errors = lastWords(child.stderr, STDERR_KEPT)
  const silence = silenceWatch(() => child.kill('SIGKILL'))
  silence.begin(START_LIMIT)

  let hasEnded = false
  const end = (how: string) => {
    silence.end()
    if (hasEnded) return
    hasEnded = true
    handlers.onEnd({ pid: child.pid, how, stderr: errors() })
  }
  // A program that can't be started at all may emit no `close`.
  child.on('error', (error) => child.pid === undefined && end(error.message))
  child.on('close', (code, signal) => end(signal ?? `exit ${code}`))
  // The child may be dying when something is written to it; `close` tells of its end.
  child.stdin.on('error', () => {})
  onLine(child.stdout, (line) => {
    const message = parse(line)
    if (message === null) {
      if (line !== '') log.debug('decoder printed something', { line: line.slice(0, 200) })
      return
    }
    silence.end()
    handlers.onTaken(message)
    if ('ready' in message) handlers.onReady(child.pid!, message.slowness)
    else if ('id' in message) handlers.onMessage(message)
  })
  endWithThisProcess(child)
  // While it works, the queue's own timer keeps this process alive.
  keepAlive(child, false)

  const write = (value: object) => child.stdin.write(`${JSON.stringify(value)}\n`)
  return {
    send: (id, request, allowed) => write({ id, ...request, ...allowed }),
    ping() {
      write({ ping: true })
      silence.begin(silenceLimit)
    },
    kill() {
      keepAlive(child, true)
      child.kill('SIGKILL')
    },
  }
}

/** Calls `onLimit` when a silence that has begun does not end within its limit, in milliseconds. */
function silenceWatch(onLimit: () => void): { begin(limit: number): void; end(): void } {
  let timer: NodeJS.Timeout | undefined
  return {
    begin: (limit) => {
      timer ??= setTimeout(onLimit, limit).unref()
    },
    end: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

function parse(line: string): Said | null {
  try {
    const value = JSON.parse(line)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
