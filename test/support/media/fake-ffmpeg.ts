import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

/** What the program does when it is asked for a frame. */
const ANSWERS = {
  frame: 'cat "$here/frame.png"',
  waits: 'echo >"$here/started"; read -r _ <"$here/go"; cat "$here/frame.png"',
  burns: 'echo >"$here/started"; while :; do :; done',
  works: 'while :; do :; done',
  nonsense: 'echo "Invalid data found when processing input" >&2; exit 1',
  'no process': 'echo "pthread_create: Resource temporarily unavailable" >&2; exit 1',
  'no file': 'echo "av_interleaved_write_frame(): Too many open files" >&2; exit 1',
  'no room': 'echo "av_interleaved_write_frame(): No space left on device" >&2; exit 1',
  'no memory': 'echo "Error: Cannot allocate memory" >&2; exit 1',
  killed: 'kill -9 $$',
  gone: 'exit 127',
}

/** Makes a program in the folder that is run as ffmpeg is and does what a test wants. */
export async function fakeFfmpeg(folder: string) {
  const path = join(folder, 'ffmpeg')
  const picture = sharp({ create: { width: 96, height: 64, channels: 3, background: '#c04020' } })
  await picture.png().toFile(join(folder, 'frame.png'))
  execFileSync('mkfifo', [join(folder, 'started'), join(folder, 'go')])
  const answer = (name: keyof typeof ANSWERS) =>
    writeFileSync(join(folder, 'answer'), `here='${folder}'\n${ANSWERS[name]}\n`)
  const script =
    'case "$1" in -version) echo "ffmpeg version 0-fake"; exit;; esac\n' +
    `echo run >>'${folder}/runs'\n. '${folder}/answer'\n`
  await writeFile(path, `#!/bin/sh\n${script}`, { mode: 0o755 })
  answer('frame')
  return {
    path,
    version: '0-fake',
    answer,
    /** Returns how often a frame was asked for. */
    runs: () => {
      const log = join(folder, 'runs')
      return existsSync(log) ? readFileSync(log, 'utf8').length / 'run\n'.length : 0
    },
    /** Resolves when a run is waiting, or burns. */
    waiting: () => readFile(join(folder, 'started')),
    goOn: () => writeFile(join(folder, 'go'), '\n'),
  }
}

/** The first bytes of a WebM, which is a video as far as anybody can tell. */
export const WEBM = Buffer.concat([
  Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84]),
  Buffer.from('webm'),
  // Nothing, in 62 bytes.
  Buffer.from([0xec, 0x80 | 62]),
  Buffer.alloc(62),
])
