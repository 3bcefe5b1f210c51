import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '../../support/eventually.ts'

const MOST_COPIES = 100

/** A disk of its own, with ext4, whose power can be cut. */
export interface LoopDisk {
  /** Where it is mounted. */
  path: string
  /** Resolves once all that was written so far is on it. */
  sync(): void
  /**
   * Takes what is on the disk at this moment, without what the system hasn't written yet; `insert` puts that in its
   * place, once nobody uses the old one any more.
   */
  cut(): Promise<{ insert(): Promise<void> }>
  remove(): void
}

/** Why there is no such disk here, or false: only root may attach loop devices, and not everywhere. */
export function withoutLoopDisk(): string | false {
  try {
    openLoopDisk(8).remove()
    return false
  } catch {
    return 'needs mkfs.ext4 and the right to mount a loop device'
  }
}

/** Makes and mounts a disk of so many MiB. Throws where that is not allowed. */
export function openLoopDisk(size: number): LoopDisk {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-power-'))
  const [image, copy, path] = [join(folder, 'image'), join(folder, 'copy'), join(folder, 'disk')]
  const mount = () => execFileSync('mount', ['-o', 'loop', image, path], { stdio: 'pipe' })
  const isUnmounted = () => spawnSync('umount', [path]).status === 0
  try {
    mkdirSync(path)
    writeFileSync(image, '')
    truncateSync(image, size * 2 ** 20)
    execFileSync('mkfs.ext4', ['-q', image], { stdio: 'pipe' })
    mount()
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
  return {
    path,
    sync: () => execFileSync('sync', ['-f', path]),
    async cut() {
      await copyOfOneMoment(image, copy)
      return {
        async insert() {
          // A process that began at the last moment may end only when it sees that the server is gone.
          await eventually(isUnmounted)
          renameSync(copy, image)
          mount()
        },
      }
    },
    remove() {
      // What has failed may have left somebody there.
      execFileSync('umount', ['--lazy', path])
      rmSync(folder, { recursive: true })
    },
  }
}

/**
 * Copies a file to which the system still writes what it had gathered. A copy of several moments would be a disk that
 * there never was: with metadata of before its journal was emptied, and the journal of after. One that is the same
 * when all has been read again is the file as it was at its end.
 */
async function copyOfOneMoment(image: string, copy: string): Promise<void> {
  const run = promisify(execFile)
  for (let tries = 0; tries < MOST_COPIES; tries++) {
    await run('cp', ['--sparse=always', image, copy])
    const isSame = await run('cmp', ['--silent', image, copy]).then(
      () => true,
      () => false,
    )
    if (isSame) return
  }
  throw new Error('The disk is still written to, though all programs stand still')
}
