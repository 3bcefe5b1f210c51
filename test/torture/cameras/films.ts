import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Seconds of a film that a longer one repeats. */
const PIECE = 60

/** Runs ffmpeg, with its complaints on standard error. */
export function runFfmpeg(...args: string[]): void {
  execFileSync('ffmpeg', ['-y', '-v', 'error', ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Returns the arguments for so many seconds of a test picture, of that many frames each. */
export function sourceOf(size: string, seconds: number, rate = 10): string[] {
  return ['-f', 'lavfi', '-i', `testsrc2=s=${size}:d=${seconds}:r=${rate}`]
}

/** Writes a film with sound, of which a minute is made in the folder and repeated. */
export function writeLong(
  path: string,
  seconds: number,
  codec: string,
  folder: string,
  options: string[],
): void {
  const piece = join(folder, `piece-${codec}.mp4`)
  if (!existsSync(piece)) {
    const sound = ['-f', 'lavfi', '-i', `sine=d=${PIECE}`, '-c:a', 'aac']
    const quick = codec === 'libx264' ? ['-preset', 'ultrafast', '-crf', '40'] : []
    runFfmpeg(
      ...sourceOf('640x360', PIECE, 25),
      ...sound,
      '-c:v',
      codec,
      ...quick,
      '-g',
      '25',
      piece,
    )
  }
  const times = String(seconds / PIECE - 1)
  runFfmpeg(
    '-stream_loop',
    times,
    '-i',
    piece,
    '-c',
    'copy',
    '-t',
    String(seconds),
    ...options,
    path,
  )
}
