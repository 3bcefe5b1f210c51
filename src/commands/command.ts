import { existsSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import type { Config } from '../base/config.ts'
import { dataFolder } from '../media/data-folder.ts'
import { watchStarter } from './starter.ts'

/** A command of `tagstead`. */
export interface Command {
  /** The usage and description in `tagstead help`. */
  usage: string
  /**
   * Runs the command with the arguments that follow its name. Returns the exit code, or null when the arguments don't
   * go together as the usage says. Throws what `parseArgs` and `wrongValue` do for an argument that is wrong, and a
   * readable error when the command can't finish.
   */
  run(args: string[]): Promise<number | null>
}

/** Returns the error for a wrong value of an option, as `parseArgs` throws it. */
export function wrongValue(option: string, message: string): Error {
  const code = 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE'
  return Object.assign(new TypeError(`Option '${option}' ${message}`), { code })
}

/** Throws a readable error when there is no library in the data folder. */
export function requireLibrary({ dataDir }: Config): void {
  if (!existsSync(dataFolder(dataDir).database))
    throw new Error(`There is no library in ${dataDir}`)
}

/** Returns whether an error says which argument is wrong. */
export function isOfArguments(error: unknown): error is Error {
  const { code } = error as NodeJS.ErrnoException
  return error instanceof Error && code?.startsWith('ERR_PARSE_ARGS_') === true
}

/**
 * Returns a signal that is aborted when the process is to end, or when its output is closed. Its reason is an error
 * whose message says why.
 */
export function interruption(): AbortSignal {
  const stop = new AbortController()
  const end = (why: string) => stop.abort(new Error(why))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Not `once`: a second signal must not kill a process that is already ending.
    process.on(signal, () => end(signal))
  }
  // bin/tagstead.mjs is gone, perhaps by kill -9, and nothing else would stop this process.
  process.once('disconnect', () => end('what started it has ended'))
  watchStarter(() => end('npm has ended'))
  process.stdout.on('error', () => end('nobody reads its output'))
  return stop.signal
}

/**
 * Gives this process a low priority, so that the server's requests come first; a process with a lower one stays as it
 * is.
 */
export function goEasy(): void {
  const { PRIORITY_BELOW_NORMAL: easy } = constants.priority
  if (getPriority() < easy) setPriority(easy)
}

const WIDTH = 30

interface Progress {
  show(label: string, done: number, total: number): void
  end(): void
}

/** Returns a display of progress on a terminal; null without a terminal, and for output that programs read. */
export function progressOnTerminal({ json }: { json?: boolean | undefined }): Progress | null {
  return json || !process.stdout.isTTY ? null : createProgress(process.stdout)
}

/** Returns a display of progress on `output`: a bar on a terminal, elsewhere a line for each tenth of the way. */
export function createProgress(
  output: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>,
  isTerminal = Boolean(output.isTTY),
): Progress {
  let last = ''
  return {
    show(label, done, total) {
      const share = total === 0 ? 1 : done / total
      const bar = '█'.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH, '░')
      const percent = Math.floor(share * 100)
      const text = isTerminal
        ? `\r${label} ${bar} ${String(percent).padStart(3)} %\x1b[K`
        : `${label} ${percent - (percent % 10)} %\n`
      if (text !== last) output.write(text)
      last = text
    },
    end() {
      if (isTerminal && last !== '') output.write('\n')
      last = ''
    },
  }
}
