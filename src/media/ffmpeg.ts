import { spawnSync } from 'node:child_process'

/** An ffmpeg that works. */
export interface Ffmpeg {
  path: string
  version: string
}

const START_LIMIT = 10_000

/** Returns the ffmpeg with this path or name, or null when it does not start. */
export function findFfmpeg(path: string): Ffmpeg | null {
  const { stdout } = spawnSync(path, ['-version'], { timeout: START_LIMIT, encoding: 'utf8' })
  const version = /^ffmpeg version (\S+)/.exec(stdout ?? '')?.[1]
  return version === undefined ? null : { path, version }
}
