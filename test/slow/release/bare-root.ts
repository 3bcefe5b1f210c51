import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { VERSION } from '../../../src/base/version.ts'

/** Debian 11, the oldest one with what a release wants: its glibc is 2.31. */
const DEBIAN = 'bullseye'
/** Made once for all runs; ffmpeg and what it needs are half of it. */
const KEPT = join(tmpdir(), `tagstead-bare-${DEBIAN}.tar`)
const ARCHIVE = fileURLToPath(
  new URL(`../../../release/tagstead-${VERSION}-linux-x64.tar.xz`, import.meta.url),
)
const NO_TEXTS = ['doc', 'man', 'locale'].map(
  (name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`,
)
/** In namespaces of its own, so that nothing of it is left mounted. */
const ENTER = 'mount -t proc proc "$0/proc" && exec chroot "$0" /usr/bin/env -i "$@"'
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin'

/** For a test's `skip`: false when this account and machine can make a root. */
export const withoutBareRoot = why()

/** What a command in the root has done. */
interface Done {
  code: number | null
  stdout: string
  stderr: string
}

/** A Debian with nothing in it but what every Debian has, and ffmpeg. */
export interface BareRoot {
  /** Its path outside. */
  path: string
  /** Starts a command line, with these settings alone in its environment. */
  start(line: string[], settings?: Record<string, string>): ChildProcess
  run(line: string[], settings?: Record<string, string>): Promise<Done>
  remove(): void
}

/** Makes a root, which takes minutes when there was none before. */
export function makeBareRoot(): BareRoot {
  if (!existsSync(KEPT)) {
    const making = `${KEPT}.${process.pid}`
    const what = ['--variant=minbase', '--include=ffmpeg', ...NO_TEXTS, '--format=tar']
    execFileSync('mmdebstrap', [...what, DEBIAN, making], { stdio: 'inherit' })
    renameSync(making, KEPT)
  }
  const path = mkdtempSync(join(tmpdir(), 'tagstead-bare-'))
  execFileSync('tar', ['-xf', KEPT, '-C', path])
  execFileSync('chmod', ['755', path])
  const start = (line: string[], settings: Record<string, string> = {}) => {
    const given = Object.entries({ PATH, ...settings }).map(([name, value]) => `${name}=${value}`)
    const entered = ['--mount', '--', '/bin/sh', '-c', ENTER, path, ...given, ...line]
    return spawn('unshare', entered, { stdio: ['ignore', 'pipe', 'pipe'] })
  }
  return {
    path,
    start,
    async run(line, settings) {
      const child = start(line, settings)
      const [stdout, stderr] = [textOf(child.stdout!), textOf(child.stderr!)]
      const [code] = await once(child, 'close')
      return { code, stdout: stdout(), stderr: stderr() }
    },
    remove: () => rmSync(path, { recursive: true }),
  }
}

/** Unpacks the release of this version into a folder of a root; throws when none was made. */
export function unpackRelease(root: BareRoot, folder: string): void {
  if (!existsSync(ARCHIVE)) throw new Error(`${ARCHIVE} is made by npm run release`)
  execFileSync('tar', ['-xf', ARCHIVE, '-C', join(root.path, folder)])
}

function textOf(stream: NonNullable<ChildProcess['stdout']>): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  return () => text
}

function why(): string | false {
  if (process.getuid?.() !== 0) return 'needs root'
  const isThere = (name: string) => spawnSync(name, ['--version']).status === 0
  const missing = ['mmdebstrap', 'unshare', 'xz'].filter((name) => !isThere(name))
  return missing.length > 0 && `needs ${missing.join(', ')}`
}
