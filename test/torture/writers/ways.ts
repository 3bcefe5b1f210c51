import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'

/** A part of a file that is written, and for how many milliseconds nothing is afterwards. */
export interface Stretch {
  bytes: Buffer
  pause: number
}

/**
 * How programs write a file into a folder of others, each as a script for `sh` that gets the path, the size and how many
 * bytes come first. Their standard input is the file.
 */
export const WAYS = {
  /** `cp` and most others. */
  cp: 'cat | cp --no-preserve=mode /dev/stdin "$1"',
  /** To a hidden name, which is renamed when it has its times. */
  rsync:
    't="$(dirname "$1")/.$(basename "$1").Xy12Zz"; ' +
    'cat > "$t" && touch -d "2020-05-06 07:08:09" "$t" && mv "$t" "$1"',
  browser: 'cat > "$1.crdownload" && mv "$1.crdownload" "$1"',
  /** A server of FTP, whose client lost its connection and goes on where it was. */
  ftp: 'head -c "$3" > "$1"; cat >> "$1"',
  /** Windows on a share, which sets the size first. */
  share: 'truncate -s "$2" "$1"; cat 1<> "$1"',
} as const
export type Way = keyof typeof WAYS

/** Whether the file has its name from the beginning on. */
export function isSeenUnfinished(way: Way): boolean {
  return way !== 'rsync' && way !== 'browser'
}

/** Writes a file in a way, as a user of another account if a number of one is given; resolves when it is there. */
export async function writeIn(
  way: Way,
  path: string,
  { stretches, uid }: { stretches: Stretch[]; uid?: number | undefined },
): Promise<void> {
  const size = stretches.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const args = ['-c', WAYS[way], 'sh', path, String(size), String(stretches[0]!.bytes.length)]
  const writer = spawn('sh', args, {
    stdio: ['pipe', 'inherit', 'inherit'],
    ...(uid !== undefined && { uid, gid: uid }),
  })
  const ended = once(writer, 'close')
  for (const { bytes, pause } of stretches) {
    await new Promise((resolve, reject) => {
      writer.stdin!.write(bytes, (error) => (error ? reject(error) : resolve(null)))
    })
    await setTimeout(pause)
  }
  writer.stdin!.end()
  assert.deepEqual(await ended, [0, null], way)
}
