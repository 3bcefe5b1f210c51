import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.ts'
import {
  childEnvironment,
  endWithThisProcess,
  lastWords,
  linesOf,
  onLine,
  runtimeArguments,
} from '../../media/child-process.ts'
import { RescanEvent } from './schema.ts'

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))
const STDERR_KEPT = 2000

/**
 * Runs the command `rescan` with the server's library and yields its events, the last of which is
 * `done` or `error`. The process ends when `signal` is aborted, when nobody listens any more, and with this
 * one, however that ends: it would hold its lock.
 */
export async function* rescanInProcess(
  config: Config,
  { by, signal }: { by?: number; signal: AbortSignal },
): AsyncGenerator<RescanEvent> {
  const user = by === undefined ? [] : ['--by', String(by)]
  const child = spawn(
    process.execPath,
    [...runtimeArguments(), MAIN, 'rescan', '--json', ...user],
    // The data folder has no `.env` file that would add other settings.
    {
      env: rescanEnvironment(config),
      cwd: config.dataDir,
      // As the leader of a group, it can be ended with all that it has started.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  endWithThisProcess(child)
  const closed = once(child, 'close')
  // When the system has no file descriptors left, there are no streams, and this throws the reason.
  if (!child.stdout || !child.stderr) await closed
  const kill = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', kill)
  if (signal.aborted) kill()
  passOnLog(child.stderr)
  const errors = lastWords(child.stderr, STDERR_KEPT)
  let hasEnded = false
  try {
    for await (const line of linesOf(child.stdout)) {
      const event = RescanEvent.parse(JSON.parse(line))
      hasEnded = event.type === 'done' || event.type === 'error'
      yield event
    }
    const [code, how] = await closed
    if (!hasEnded && !signal.aborted) {
      throw new Error(`The rescan ended with ${how ?? code}: ${errors()}`)
    }
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
    await closed
  }
}

/** Writes what a process logs into the log of this one, which is on the other stream. */
function passOnLog(stderr: Readable): void {
  onLine(stderr, (line) => {
    const to = line.startsWith('{') ? process.stdout : process.stderr
    to.write(`${line}\n`)
  })
}

/** Returns what the command needs of the environment: all settings but those of requests. */
export function rescanEnvironment(config: Config): NodeJS.ProcessEnv {
  const { decoderTime, diskReserve } = config
  return {
    ...childEnvironment(),
    CACHE_SIZE: inMebibytes(config.cacheSize),
    DATA_DIR: config.dataDir,
    ...(decoderTime !== null && { DECODER_TIME: `${decoderTime / 1000}s` }),
    ...(diskReserve !== null && { DISK_RESERVE: inMebibytes(diskReserve) }),
    DECODER_WALLS: config.decoderWalls,
    DUPLICATE_HASH_THRESHOLD: String(config.duplicateHashThreshold),
    FFMPEG_PATH: config.ffmpegPath ?? '',
    LOG_LEVEL: config.logLevel,
    SETS_SIZE: inMebibytes(config.setsSize),
    THUMBNAIL_CACHE: inMebibytes(config.thumbnailCache),
    TIME_ZONE: config.timeZone,
  }
}

function inMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)}MiB`
}
