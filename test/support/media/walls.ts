import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { WallLevel } from '../../../src/base/enums.ts'
import { startDecoder } from '../../../src/media/decoder/decoder.ts'
import type { Ffmpeg } from '../../../src/media/ffmpeg.ts'
import { behindLandlock } from '../../../src/media/walls/landlock.ts'

/** For a test's `skip`: false when the level can be had here. */
export function withoutWalls(level: WallLevel): string | false {
  const room = mkdtempSync(join(tmpdir(), 'tagstead-room-'))
  for (const name of ['in', 'out']) mkdirSync(join(room, name))
  const tries: Record<WallLevel, string[]> = {
    namespaces: ['bwrap', '--unshare-all', '--ro-bind', '/', '/', 'true'],
    landlock: [...behindLandlock({ room, ffmpeg: null }), '/bin/true'],
    user: ['setpriv', '--reuid', '65522', '--regid', '65522', '--clear-groups', 'true'],
    environment: ['true'],
  }
  const [program, ...args] = tries[level]
  try {
    execFileSync(program!, args, { stdio: 'ignore' })
    return false
  } catch {
    return `needs walls of the level ${level}`
  } finally {
    rmSync(room, { recursive: true })
  }
}

type Options = Partial<Parameters<typeof startDecoder>[0]> & {
  startLimit?: number
  secrets?: string[]
}

/** A data folder with a decoder behind walls. */
export async function walledDecoder(strongest: WallLevel, options: Options = {}) {
  const { startLimit, secrets, ...others } = options
  const folder = await mkdtemp(join(tmpdir(), 'tagstead-walls-'))
  const data = join(folder, 'data')
  const temporary = join(data, 'tmp')
  const rooms = join(temporary, 'decode')
  const secret = join(data, 'library.sqlite')
  for (const made of [data, temporary, join(data, 'files')]) mkdirSync(made, { mode: 0o700 })
  writeFileSync(secret, 'a secret', { mode: 0o600 })
  // Another user may pass here.
  chmodSync(folder, 0o755)
  const said: { level: string; message: string; fields: Record<string, unknown> }[] = []
  const heard = new Set<() => void>()
  const keep =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      said.push({ level, message, fields })
      for (const listener of heard) listener()
    }
  const decoder = startDecoder({
    log: { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') },
    temporaryFolder: temporary,
    walls: { strongest, rooms, secrets: secrets ?? [secret], ...(startLimit && { startLimit }) },
    ...others,
  })
  let names = 0
  return {
    folder,
    secret,
    temporary,
    rooms,
    decoder,
    said,
    /** Returns what was logged with a message, once that was. */
    async told(message: string, count = 1) {
      const found = () => said.filter((entry) => entry.message === message)
      // A decoder without work keeps no process alive.
      const awake = setInterval(() => {}, 1000)
      while (found().length < count) {
        await new Promise<void>((resolve) => {
          heard.add(resolve)
        })
      }
      clearInterval(awake)
      return found().at(-1)!.fields
    },
    /** Puts a content where only the server may read it. */
    async add(bytes: Uint8Array) {
      const path = join(data, 'files', String(names++))
      await writeFile(path, bytes, { mode: 0o600 })
      return path
    },
    derive: (path: string, mime_type: string) =>
      decoder.derive({ path, mime_type, thumbnailPath: `${path}.jpg` }),
    /** Returns the paths of the rooms that are there. */
    roomPaths: () => (existsSync(rooms) ? readdirSync(rooms).map((name) => join(rooms, name)) : []),
    async end() {
      await decoder.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/**
 * Writes a program that is run as ffmpeg is and does what the script says, which has a `frame` to give. It needs no
 * other file, so that it runs behind walls, too.
 */
export async function ffmpegOf(folder: string, script: string): Promise<Ffmpeg> {
  const path = join(folder, 'ffmpeg')
  const picture = sharp({ create: { width: 96, height: 64, channels: 3, background: '#c04020' } })
  const png = (await picture.png().toBuffer()).toString('base64')
  const text = `#!/bin/bash
case "$1" in -version) echo "ffmpeg version 0-fake"; exit;; esac
frame() { echo ${png} | base64 -d; }
for arg; do case "$arg" in file:*) film=\${arg#file:};; esac; done
${script}
`
  await writeFile(`${path}.new`, text, { mode: 0o755 })
  chmodSync(`${path}.new`, 0o755)
  await rename(`${path}.new`, path)
  return { path, version: '0-fake' }
}
