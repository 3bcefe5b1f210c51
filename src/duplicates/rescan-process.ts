import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { runtimeArguments } from '../media/decoder-process.ts'
import { RescanEvent } from './rescan-events.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
const STDERR_KEPT = 2000

/**
 * Runs the command `rescan` over the server's library and yields its events, the last of which is
 * `done` or `error`. The process ends when `signal` is aborted and when nobody listens any more.
 */
export async function* rescanInProcess(
  config: Config,
  { by, signal }: { by?: number; signal: AbortSignal },
): AsyncGenerator<RescanEvent> {
  const user = by === undefined ? [] : ['--by', String(by)]
  const child = spawn(
    process.execPath,
    [...runtimeArguments(), MAIN, 'rescan', '--json', ...user],
    // In the data folder there is no `.env` that would say something else.
    { env: environment(config), cwd: config.dataDir, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const closed = once(child, 'close')
  // Without a file to open there are no streams, and this throws why.
  if (!child.stdout || !child.stderr) await closed
  const kill = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', kill)
  if (signal.aborted) kill()
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-STDERR_KEPT)
  })
  let hasEnded = false
  try {
    for await (const line of linesOf(child.stdout)) {
      const event = RescanEvent.parse(JSON.parse(line))
      hasEnded = event.type === 'done' || event.type === 'error'
      yield event
    }
    const [code, how] = await closed
    if (!hasEnded && !signal.aborted) {
      throw new Error(`The rescan ended with ${how ?? code}: ${stderr}`)
    }
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
    await closed
  }
}

/** The settings that the command needs, and none of the server's secrets. */
function environment(config: Config): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LD_LIBRARY_PATH']
  return {
    ...Object.fromEntries(names.map((name) => [name, process.env[name]])),
    DATA_DIR: config.dataDir,
    DUPLICATE_HASH_THRESHOLD: String(config.duplicateHashThreshold),
    FFMPEG_PATH: config.ffmpegPath ?? '',
  }
}

async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
