import type { Readable } from 'node:stream'
import { killGroup, onLine, startProgram } from './child-process.ts'
import { type LogFormat, sameEntry } from './log.ts'
import { PROGRAMS } from './place.ts'

/** How long a command has to end by itself, in milliseconds. */
const PATIENCE = 5000

/** A command of this program that runs in a process of its own. */
interface OwnCommand {
  /** What it writes to its standard output. */
  lines: AsyncGenerator<string>
  /** Resolves when it has ended, with its exit code, or the signal that ended it. */
  ended: Promise<number | string>
  /** Returns the last 2,000 characters that it has written to its standard error. */
  errors(): string
  /** Ends it, if it still runs, and resolves when it has ended. */
  end(): Promise<void>
}

/**
 * Starts a command with these settings. It ends when `signal` is aborted, and with this process, however that
 * ends: it would hold its lock. Lines that it logs go into the log of this process. Throws the system's reason
 * when there is no process for it.
 */
export async function startCommand(
  args: string[],
  {
    settings,
    dataDir,
    signal,
    logFormat,
  }: {
    settings: NodeJS.ProcessEnv
    dataDir: string
    signal: AbortSignal
    logFormat: LogFormat
  },
): Promise<OwnCommand> {
  const { child, closed, lines, errors } = await startProgram([PROGRAMS.main, ...args], {
    cwd: dataDir,
    // A `.env` file there may ask for text, which nobody could pass on.
    env: { DATA_DIR: dataDir, LOG_FORMAT: 'json', ...settings },
  })
  child.stdin.end()
  const kill = () => {
    child.kill('SIGTERM')
    // It may be in the middle of what it can't leave off, or wait for a disk that doesn't answer.
    const timer = setTimeout(() => killGroup(child), PATIENCE)
    closed.finally(() => clearTimeout(timer)).catch(() => {})
  }
  signal.addEventListener('abort', kill)
  if (signal.aborted) kill()
  passOnLog(child.stderr, logFormat)
  const ended = closed.then(([code, how]) => how ?? code!)
  // It is told to whoever awaits it.
  ended.catch(() => {})
  return {
    lines,
    ended,
    errors,
    async end() {
      signal.removeEventListener('abort', kill)
      kill()
      await closed
    },
  }
}

/** Writes what a process logs into the log of this one, which is on the other stream. */
function passOnLog(stderr: Readable, format: LogFormat): void {
  onLine(stderr, (line) => {
    if (line.startsWith('{')) process.stdout.write(`${sameEntry(line, process.stdout, format)}\n`)
    else process.stderr.write(`${line}\n`)
  })
}
