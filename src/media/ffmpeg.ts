import { spawn } from 'node:child_process'

/** An ffmpeg that works. */
export interface Ffmpeg {
  /** Or its name, to be looked for where programs are. */
  path: string
  version: string
}

/** Milliseconds. */
const START_LIMIT = 10_000
/** Characters, among which the version is. */
const READ = 1000

/**
 * Returns the ffmpeg with this path or name, or null when it does not start, or says no version within
 * `limit` milliseconds. What it says may be read later, after the process was busy for longer.
 */
export async function findFfmpeg(path: string, limit = START_LIMIT): Promise<Ffmpeg | null> {
  const child = spawn(path, ['-version'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: limit,
    killSignal: 'SIGKILL',
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < READ) said += text
  })
  await new Promise((resolve) => child.once('error', resolve).once('close', resolve))
  const version = /^ffmpeg version (\S+)/.exec(said)?.[1]
  return version === undefined ? null : { path, version }
}
