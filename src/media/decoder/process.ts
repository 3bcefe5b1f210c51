import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import {
  childEnvironment,
  endWithThisProcess,
  keepAlive,
  killGroup,
  lastWords,
  onLine,
  runtimeArguments,
} from '../../base/child-process.ts'
import type { Log } from '../../base/log.ts'
import { PROGRAMS } from '../../base/paths.ts'
import { BOUNDED_ENVIRONMENT, limitMemory } from '../memory.ts'
import type { Enclosure } from '../walls/enclosure.ts'
import type { Walls } from '../walls/levels.ts'
import { createExchange } from './exchange.ts'
import { type Allowed, type Message, parseSaid, type Taken } from './messages.ts'
import type { Request } from './request.ts'

/** One run of the child. */
export interface DecoderProcess {
  send(id: number, request: Request, allowed: Allowed): void
  /** Asks for a sign of life; when none comes within the silence limit, the child is killed. */
  ping(): void
  kill(): void
}

/**
 * How a child ended: a signal, an exit code, an error or why we killed it, and the end of its standard error.
 * `isOfWalls` says that the walls ended it: its jobs are for the next child.
 */
export interface End {
  pid: number | undefined
  how: string
  stderr: string
  isOfWalls: boolean
}

interface Handlers {
  onReady: (pid: number, slowness: number) => void
  /** Called with each message before that is handled. */
  onTaken: (taken: Taken) => void
  onMessage: (message: Message) => void
  /** Called when the child is gone and everything that it said has been handled. */
  onEnd: (end: End) => void
}

// In milliseconds; a small, busy machine takes seconds to load sharp through tsx.
const START_LIMIT = 60_000
const STDERR_KEPT = 2000
// In characters; the longest that a decoder says is the EXIF of a file.
const LONGEST_LINE = 2 ** 20
// Milliseconds in which what a child has said is read when it has ended.
const LINGER = 2000
// Both runtimes decode in as many threads, of which there would be only two or four by default. There must be more
// than jobs in flight, or slow jobs would leave none to the next.
const THREADS = '10'

// What a shell or a program reports when the system is short of something, which isn't the fault of walls.
const SCARCE = /temporarily unavailable|cannot fork|too many open files|cannot allocate memory/i

// How a child ends that was killed; what wraps its program reports the signal by 128 and more.
const KILLED = /^(SIG|exit 1(29|[3-5]\d)$)/

// When memory runs out, the child and its programs are killed before anything else, and so are their wrappers.
const FIRST_TO_GO = '{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null;'

interface Options {
  /** Bytes that the child may take, null for any. */
  memory: number | null
  /** Milliseconds. */
  silenceLimit: number
  /** Whether the child before did not start. */
  isAgain: boolean
  walls: Walls
}

/** Starts a child. Throws when the system has no files to spare. */
export function startProcess(
  { memory, silenceLimit, isAgain, walls }: Options,
  log: Log,
  handlers: Handlers,
): DecoderProcess {
  const enclosure = walls.enter()
  const child = spawnIn(enclosure, memory)
  const errors = lastWords(child.stderr, STDERR_KEPT)
  let state: 'starting' | 'ready' | 'unfit' | 'ending' = 'starting'
  let isSilent = false
  // Why it was killed, where only a hostile content makes it do that.
  let offence: string | undefined
  const silence = silenceWatch(() => {
    isSilent = true
    killGroup(child)
  })
  silence.begin(enclosure.startLimit ?? START_LIMIT)

  const endUnfit = () => {
    if (state !== 'unfit' && state !== 'ending') state = 'unfit'
    keepAlive(child, true)
    killGroup(child)
  }
  // No decoder does that of itself: a content makes it, and the worker finds out which.
  const offend = (what: string) => {
    offence ??= what
    killGroup(child)
  }
  const isOfWalls = (how: string, stderr: string) => {
    if (state !== 'starting') return state === 'unfit'
    const isOfOthers = SCARCE.test(stderr) || (KILLED.test(how) && !isSilent)
    return (isAgain || !isOfOthers) && walls.failed(enclosure, isSilent ? 'hangs' : stderr || how)
  }
  const write = (value: object) => child.stdin.write(`${JSON.stringify(value)}\n`)
  const exchange = createExchange({
    room: enclosure.room,
    write,
    onMessage: handlers.onMessage,
    offend,
    onLost(hasServed) {
      if (state === 'ready') walls.lost(enclosure, hasServed)
      endUnfit()
    },
  })
  const begin = (slowness: number, opened: string[]) => {
    // What it says later may be what a stranger's file has made it say.
    if (state !== 'starting') return
    if (!walls.judge(enclosure, opened)) return endUnfit()
    state = 'ready'
    handlers.onReady(child.pid!, slowness)
  }
  const listen = (line: string) => {
    if (offence !== undefined) return
    const message = parseSaid(line)
    if (message === null) {
      if (line !== '') log.debug('decoder printed something', { line: line.slice(0, 200) })
      return
    }
    silence.end()
    handlers.onTaken(message)
    if ('ready' in message) begin(message.slowness, message.opened)
    else if ('id' in message) exchange.hear(message)
  }
  const end = async (how: string) => {
    silence.end()
    if (!exchange.close()) return
    await exchange.settled()
    enclosure.leave()
    const stderr = errors()
    const isOfUs = isOfWalls(how, stderr)
    handlers.onEnd({ pid: child.pid, how: offence ?? how, stderr, isOfWalls: isOfUs })
  }
  // Before it is ready, it has read nothing from a stranger.
  watchEnd(child, { onExit: () => state !== 'starting' && enclosure.killStrays(), onEnd: end })
  onLine(child.stdout, listen, {
    most: LONGEST_LINE,
    onLong: () => offend('said too long a line'),
  })
  endWithThisProcess(child, enclosure.lastWill)
  // While it works, the queue's own timer keeps this process alive.
  keepAlive(child, false)
  return {
    send: exchange.give,
    ping() {
      write({ ping: true })
      silence.begin(silenceLimit)
    },
    kill() {
      state = 'ending'
      keepAlive(child, true)
      killGroup(child)
    },
  }
}

interface Ends {
  onExit: () => void
  /** Gets how it ended, when all that it said was read; may be called twice. */
  onEnd: (how: string) => void
}

function watchEnd(child: ChildProcessWithoutNullStreams, { onExit, onEnd }: Ends): void {
  // A program that can't be started at all may emit no `close`.
  child.on('error', (error) => child.pid === undefined && onEnd(error.message))
  let cut: NodeJS.Timeout | undefined
  child.on('exit', () => {
    onExit()
    // What it has left running may hold its output open, so that `close` never comes.
    cut = setTimeout(() => {
      for (const stream of [child.stdout, child.stderr]) stream.destroy()
    }, LINGER)
  })
  child.on('close', (code, signal) => {
    clearTimeout(cut)
    onEnd(signal ?? `exit ${code}`)
  })
  // The child may be dying when something is written to it; `close` reports its end.
  child.stdin.on('error', () => {})
}

// The enclosure is left when the system has nothing to spare for the child.
function spawnIn(enclosure: Enclosure, memory: number | null): ChildProcessWithoutNullStreams {
  const { line, cwd, env, tries } = enclosure
  const bound = memory === null ? '' : limitMemory(memory, true)
  const started = [process.execPath, ...runtimeArguments(), PROGRAMS.decoder]
  const program = [...line, ...started, ...(tries ? [JSON.stringify(tries)] : [])]
  try {
    const child = spawn('/bin/sh', ['-c', `${FIRST_TO_GO} ${bound} exec "$0" "$@"`, ...program], {
      // It reads strangers' bytes, so it gets no secrets.
      env: {
        ...childEnvironment(),
        ...BOUNDED_ENVIRONMENT,
        UV_THREADPOOL_SIZE: THREADS,
        ...env,
      },
      cwd,
      // A group of its own, so that its wrappers are killed with it.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    if (child.stdin && child.stdout && child.stderr) return child
    // Its `error` event comes later, when there may be another child.
    child.on('error', () => {})
    killGroup(child)
    throw new Error('the system has no open files to spare for a decoder')
  } catch (error) {
    enclosure.leave()
    throw error
  }
}

// Calls `onLimit` when a silence does not end within its limit, in milliseconds.
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
