import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import {
  childEnvironment,
  endWithThisProcess,
  killGroup,
  lastWords,
  linesOf,
  onLine,
  runtimeArguments,
} from './child-process.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
const STDERR_KEPT = 2000
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
  }: { settings: NodeJS.ProcessEnv; dataDir: string; signal: AbortSignal },
): Promise<OwnCommand> {
  const child = spawn(process.execPath, [...runtimeArguments(), MAIN, ...args], {
    env: { ...childEnvironment(), DATA_DIR: dataDir, ...settings },
    // The data folder has no `.env` file that would add other settings.
    cwd: dataDir,
    // As the leader of a group, it can be ended with all that it has started.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  endWithThisProcess(child)
  const closed = once(child, 'close')
  // When the system has no file descriptors left, there are no streams, and this throws the reason.
  if (!child.stdout || !child.stderr) await closed
  const kill = () => {
    child.kill('SIGTERM')
    // It may be in the middle of what it can't leave off, or wait for a disk that doesn't answer.
    const timer = setTimeout(() => killGroup(child), PATIENCE)
    closed.finally(() => clearTimeout(timer)).catch(() => {})
  }
  signal.addEventListener('abort', kill)
  if (signal.aborted) kill()
  passOnLog(child.stderr)
  const ended = closed.then(([code, how]) => (how ?? code) as number | string)
  // It is told to whoever awaits it.
  ended.catch(() => {})
  return {
    lines: linesOf(child.stdout),
    ended,
    errors: lastWords(child.stderr, STDERR_KEPT),
    async end() {
      signal.removeEventListener('abort', kill)
      kill()
      await closed
    },
  }
}

/** Writes what a process logs into the log of this one, which is on the other stream. */
function passOnLog(stderr: Readable): void {
  onLine(stderr, (line) => {
    const to = line.startsWith('{') ? process.stdout : process.stderr
    to.write(`${line}\n`)
  })
}
