import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CONTEXT = fileURLToPath(new URL('../../../release/container', import.meta.url))
const NAME = 'tagstead-test'

/** For a test's `skip`: false when this account and machine can build and start a container. */
export const withoutContainers = why()

/** What an image says of itself, as Docker writes it. */
interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[]
  WorkingDir: string
  Volumes: Record<string, object>
  Healthcheck: { Test: string[] }
}

/** An image that was built, and its files. */
export interface BuiltImage {
  config: ImageConfig
  /** The folder with what the image holds. */
  root: string
  remove(): void
}

/** Builds the container by buildah, which takes half a minute; throws when nothing was laid to build it of. */
export function buildImage(): BuiltImage {
  if (!existsSync(CONTEXT)) throw new Error(`${CONTEXT} is made by npm run release:container`)
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-image-'))
  const store = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run')]
  const buildah = (...line: string[]) =>
    execFileSync('buildah', [...store, '--storage-driver', 'vfs', ...line], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).trim()
  try {
    buildah('build', '--quiet', '--isolation', 'chroot', '--format', 'docker', '-t', NAME, CONTEXT)
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', NAME))
  const container = buildah('from', NAME)
  return {
    config: Docker.config,
    root: buildah('mount', container),
    remove() {
      buildah('umount', container)
      rmSync(folder, { recursive: true })
    },
  }
}

function why(): string | false {
  if (process.getuid?.() !== 0) return 'needs root'
  const isThere = (name: string) => spawnSync(name, ['--version']).status === 0
  const missing = ['buildah', 'mmdebstrap', 'unshare', 'nsenter'].filter((name) => !isThere(name))
  return missing.length > 0 && `needs ${missing.join(', ')}`
}
