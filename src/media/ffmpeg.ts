import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** An ffmpeg that works. */
export interface Ffmpeg {
  /** Or its name, to be looked for where programs are. */
  path: string
  version: string
}

/** Milliseconds. */
const START_LIMIT = 10_000

/** Returns the ffmpeg with this path or name, or null when it does not start. */
export async function findFfmpeg(path: string): Promise<Ffmpeg | null> {
  try {
    const { stdout } = await promisify(execFile)(path, ['-version'], { timeout: START_LIMIT })
    const version = /^ffmpeg version (\S+)/.exec(stdout)?.[1]
    return version === undefined ? null : { path, version }
  } catch {
    return null
  }
}
