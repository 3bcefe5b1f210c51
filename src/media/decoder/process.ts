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

/** What the child says about a job: `waiting` leaves it under way, anything else ends it. */
export type Message =
  | { id: number; waiting: boolean }
  | { id: number; result: unknown }
  | ({ id: number } & Failure)
  | { id: number; error: { message: string; code: string | undefined } }

/** One run of the child. */
export interface DecoderProcess {
  send(id: number, request: Request): void
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
  onReady: (pid: number) => void
  onMessage: (message: Message) => void
  /** Called when the child is gone and everything that it said has been heard. */
  onEnd: (end: End) => void
}

const CHILD = fileURLToPath(new URL('../child/main.ts', import.meta.url))
/** Milliseconds; a small, busy machine takes seconds to load sharp through tsx. */
const START_LIMIT = 60_000
const STDERR_KEPT = 2000

/**
 * Starts a child; `silenceLimit` is in milliseconds. Throws when the system has no files to spare.
 */
export function startProcess(silenceLimit: number, log: Log, handlers: Handlers): DecoderProcess {
  const child = spawn(process.execPath, [...runtimeArguments(), CHILD], {
    // It reads strangers' bytes, so it gets no secrets.
    env: childEnvironment(),
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
    if ('ready' in message) handlers.onReady(child.pid!)
    else if ('id' in message) handlers.onMessage(message)
  })
  endWithThisProcess(child)
  // While it works, the queue's own timer keeps this process alive.
  keepAlive(child, false)

  const write = (value: object) => child.stdin.write(`${JSON.stringify(value)}\n`)
  return {
    send: (id, request) => write({ id, ...request }),
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

function parse(line: string): Message | { ready: true } | { pong: true } | null {
  try {
    const value = JSON.parse(line)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
