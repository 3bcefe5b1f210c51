import type { Readable } from 'node:stream'
import { killGroup, onLine, startProgram } from './child-process.ts'
import { type LogFormat, sameEntry } from './log.ts'
import { PROGRAMS } from './paths.ts'

// How long a command has to end by itself, in milliseconds.
const PATIENCE = 5000

interface OwnCommand {
  lines: AsyncGenerator<string>
  /** Resolves when it has ended, with its exit code or the signal that ended it. */
  ended: Promise<number | string>
  /** Returns the last 2,000 characters that it has written to its standard error. */
  errors(): string
  end(): Promise<void>
}

/**
 * Starts a command with these settings. It ends when `signal` is aborted, and with this process, however that ends,
 * because otherwise it would hold its lock. Lines that it logs go into the log of this process. Throws the system's
 * reason when the process can't be started.
 */
export async function startCommand(
  args: string[],
  {
    settings,
    key,
    dataDir,
    signal,
    logFormat,
  }: {
    settings: NodeJS.ProcessEnv
    /** What it gets by its standard input, where `settings` say so. */
    key?: NodeJS.ProcessEnv
    dataDir: string
    signal: AbortSignal
    logFormat: LogFormat
  },
): Promise<OwnCommand> {
  const { child, closed, lines, errors } = await startProgram([PROGRAMS.main, ...args], {
    cwd: dataDir,
    // A `.env` file there may request text, which couldn't be passed on.
    env: { DATA_DIR: dataDir, LOG_FORMAT: 'json', ...settings },
  })
  child.stdin.end(key && JSON.stringify(key))
  const kill = () => {
    child.kill('SIGTERM')
    // The command may be in an uninterruptible step, or be waiting for a disk that doesn't answer.
    const timer = setTimeout(() => killGroup(child), PATIENCE)
    closed.finally(() => clearTimeout(timer)).catch(() => {})
  }
  signal.addEventListener('abort', kill)
  if (signal.aborted) kill()
  passOnLog(child.stderr, logFormat)
  const ended = closed.then(([code, how]) => how ?? code!)
  // Callers that await it get the error.
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

// The log of this process is on the other stream.
function passOnLog(stderr: Readable, format: LogFormat): void {
  onLine(stderr, (line) => {
    if (line.startsWith('{')) process.stdout.write(`${sameEntry(line, process.stdout, format)}\n`)
    else process.stderr.write(`${line}\n`)
  })
}
