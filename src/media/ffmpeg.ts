import { type ChildProcess, spawn } from 'node:child_process'
import { childEnvironment, killGroup } from '../base/child-process.ts'

/** An ffmpeg that works. */
export interface Ffmpeg {
  /** Or its name, to be looked for in PATH. */
  path: string
  version: string
}

// In milliseconds.
const START_LIMIT = 10_000
// In characters; the version is among them.
const READ = 1000

/**
 * Returns the ffmpeg with this path or name, or null when it can't be started, or reports no version within `limit`
 * milliseconds. What it printed counts, even when this process was busy for longer.
 */
export async function findFfmpeg(path: string, limit = START_LIMIT): Promise<Ffmpeg | null> {
  try {
    const child = spawn(path, ['-version'], {
      env: childEnvironment(),
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    const version = await versionSaid(child, limit)
    // What it may have started besides isn't waited for.
    killGroup(child)
    child.stdout?.destroy()
    return version === null ? null : { path, version }
  } catch {
    return null
  }
}

/** Returns the ffprobe that comes with an ffmpeg, by path or name; the same text when its name says nothing. */
export function ffprobeOf(ffmpeg: string): string {
  return ffmpeg.replace(/ffmpeg(?=[^/]*$)/, 'ffprobe')
}

// The version is complete once something follows it.
const VERSION = /^ffmpeg version (\S+)\s/

function versionSaid(child: ChildProcess, limit: number): Promise<string | null> {
  return new Promise((resolve) => {
    let said = ''
    const end = () => {
      clearTimeout(timer)
      resolve(VERSION.exec(said)?.[1] ?? null)
    }
    // When the event loop was busy for long, the timer fires before the output is read, two turns later.
    const timer = setTimeout(() => setImmediate(() => setImmediate(end)), limit)
    child.on('error', end).on('close', () => {
      said += '\n'
      end()
    })
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, READ)
      if (VERSION.test(said)) end()
    })
  })
}
