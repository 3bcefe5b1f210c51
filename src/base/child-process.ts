import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { BUN_SETTINGS, loaderForNode } from './paths.ts'

// How the project starts its own processes and reads their output.

/** By default, Bun would fetch a missing package, and read files of the folder in which it is started. */
export const BUN_ARGUMENTS: string[] = ['--no-env-file', '--no-install', `--config=${BUN_SETTINGS}`]

/** Returns the runtime's arguments for running this program's files, however it was started. */
export function runtimeArguments(): string[] {
  if ('Bun' in globalThis) return BUN_ARGUMENTS
  const loader = loaderForNode()
  return loader === null ? [] : ['--import', pathToFileURL(loader).href]
}

/** Returns the environment that a child process needs, without settings or secrets of the server. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LD_LIBRARY_PATH', 'TSX_TSCONFIG_PATH']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}

const STDERR_KEPT = 2000

/**
 * Starts this program's file, with its arguments, as the leader of a group, so that it can be ended with everything
 * that it has started, even while it is stopped. It ends with this process, however that ends. `closed` resolves with
 * its exit code and the signal that ended it, `errors` returns the last 2,000 characters that it wrote to its standard
 * error. Throws the system's reason when the process can't be started.
 */
export async function startProgram(
  line: string[],
  { cwd, env = {} }: { cwd: string; env?: NodeJS.ProcessEnv },
) {
  const child = spawn(process.execPath, [...runtimeArguments(), ...line], {
    env: { ...childEnvironment(), ...env },
    cwd,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  endWithThisProcess(child)
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  // When the system has no file descriptors left, there are no streams, and this throws the reason.
  if (!child.stdin || !child.stdout || !child.stderr) await closed
  // Later errors reach the caller through `closed`, or as the end of the output.
  closed.catch(() => {})
  child.stdin.on('error', () => {})
  return {
    child,
    closed,
    lines: linesOf(child.stdout),
    errors: lastWords(child.stderr, STDERR_KEPT),
  }
}

// Waits for the end of its input, which comes when no process is left that could write there.
const WATCH =
  'trap \'\' HUP INT TERM; read -r _; kill -s KILL -- "$0"; if [ $# -gt 0 ]; then exec "$@"; fi'

/** Kills a child and the rest of the group of processes that it leads. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended in the meantime.
  }
}

/**
 * Makes sure that a child and its group are killed when this process is gone, however it ended: a child that is stuck
 * in a computation would never notice. Neither runtime can ask the system for that, so a shell waits for it, and then
 * runs the command line `lastWill`, if given. Without a process to spare for the shell, the child goes unwatched.
 */
export function endWithThisProcess(child: ChildProcess, lastWill: string[] = []): void {
  if (child.pid === undefined) return
  const target = String(-child.pid)
  let watch: ChildProcess
  try {
    watch = spawn('/bin/sh', ['-c', WATCH, target, ...lastWill], {
      cwd: '/',
      env: { PATH: process.env.PATH },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
  } catch {
    return
  }
  watch.on('error', () => {})
  child.on('exit', () => watch.kill('SIGKILL'))
  keepAlive(watch, false)
}

/** Sets whether a child and its streams keep this process alive. */
export function keepAlive(child: ChildProcess, isNeeded: boolean): void {
  // On Node the streams are sockets that count separately; on Bun they have no such methods.
  const streams = [child.stdin, child.stdout, child.stderr] as unknown as (Partial<Socket> | null)[]
  for (const handle of [child, ...streams]) {
    if (isNeeded) handle?.ref?.()
    else handle?.unref?.()
  }
}

/**
 * Calls `listener` with each line of a stream. Node's own line reader also breaks lines at U+2028, which JSON leaves as
 * it is and which occurs in the captions of real photographs. When a line, complete or not, is longer than `most`
 * characters, `onLong` is called instead, and nothing further is passed on.
 */
export function onLine(
  stream: Readable,
  listener: (line: string) => void,
  { most, onLong }: { most: number; onLong: () => void } = { most: Infinity, onLong: () => {} },
): void {
  const { add, length } = lineSplitter()
  const hear = (chunk: string) => {
    for (const line of add(chunk)) {
      if (line.length > most) return stop()
      listener(line)
    }
    if (length() > most) stop()
  }
  const stop = () => {
    // Further input is still read, so that the stream comes to its end.
    stream.off('data', hear).resume()
    onLong()
  }
  stream.setEncoding('utf8').on('data', hear)
}

/** Yields the lines of a stream, split like those of `onLine`. */
export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  const { add } = lineSplitter()
  for await (const chunk of stream.setEncoding('utf8')) yield* add(chunk)
}

// `add` returns the lines that a chunk completes and holds the rest, of `length` characters, for the next.
function lineSplitter() {
  // Joined once, because a text that grows with each chunk would be copied each time.
  let parts: string[] = []
  let length = 0
  return {
    length: () => length,
    add(chunk: string): string[] {
      const [first = '', ...others] = chunk.split('\n')
      parts.push(first)
      length += first.length
      if (others.length === 0) return []
      const rest = others.pop()!
      const lines = [parts.join(''), ...others]
      parts = [rest]
      length = rest.length
      return lines
    },
  }
}

/** Returns a function that returns the last `length` characters, at most, of a stream so far. */
export function lastWords(stream: Readable, length: number): () => string {
  let said = ''
  stream.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-length)
  })
  return () => said
}
