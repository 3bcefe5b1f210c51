import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { without } from './media/media.ts'

/** A disk of its own in memory, which can be filled to its last byte. */
export interface SmallDisk {
  /** Where it is mounted. */
  path: string
  /** Fills it, until nothing can be written any more. */
  fill(): void
  empty(): void
  remove(): void
}

/** Why there is no small disk here, or false: only root may mount one. */
export const withoutSmallDisk: string | false = opens(openSmallDisk)
  ? false
  : 'needs the right to mount'

/** Why there is no disk here that shares blocks, or false. */
export const withoutSharingDisk: string | false =
  without('mkfs.btrfs', '--version') ||
  (opens(() => openSharingDisk(128)) ? false : 'needs Btrfs and the right to mount')

/** Mounts a disk of so many MiB whose files can share blocks: Btrfs. */
export function openSharingDisk(size: number): Pick<SmallDisk, 'path' | 'remove'> {
  return mountImage(size, ['mkfs.btrfs', '-q'])
}

/** Mounts a disk of so many MiB with ext4, all of which anybody may fill. Throws where that is not allowed. */
export function openExt4Disk(size: number): Pick<SmallDisk, 'path' | 'remove'> {
  return mountImage(size, ['mkfs.ext4', '-q', '-m', '0'])
}

/** Why there is no such disk here, or false. */
export const withoutExt4Disk: string | false = opens(openExt4Disk)
  ? false
  : 'needs ext4 and the right to mount'

/** Returns whether such a disk can be had, of two MiB unless it needs more. */
function opens(open: (size: number) => { remove(): void }): boolean {
  try {
    open(2).remove()
    return true
  } catch {
    return false
  }
}

function mountImage(size: number, [make, ...options]: [string, ...string[]]) {
  return mounted((path, folder) => {
    const image = join(folder, 'image')
    execFileSync('truncate', ['-s', `${size}M`, image])
    execFileSync(make, [...options, image], { stdio: 'ignore' })
    return ['-o', 'loop', image, path]
  })
}

/** Mounts what `prepare` tells, at a path in a folder of its own. Throws where that is not allowed, and leaves nothing. */
function mounted(prepare: (path: string, folder: string) => string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-disk-'))
  const path = join(folder, 'disk')
  try {
    mkdirSync(path)
    execFileSync('mount', prepare(path, folder), { stdio: 'ignore' })
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
  const remove = () => {
    execFileSync('umount', ['--lazy', path])
    rmSync(folder, { recursive: true })
  }
  return { path, remove }
}

/** Mounts a disk of so many MiB. Throws where that is not allowed. */
export function openSmallDisk(size: number): SmallDisk {
  const { path, remove } = mounted((path) => ['-t', 'tmpfs', '-o', `size=${size}m`, 'tmpfs', path])
  const ballast = join(path, 'ballast')
  return {
    path,
    fill() {
      // The last page is had by a small write alone.
      for (const bytes of [2 ** 16, 2 ** 12]) {
        try {
          for (;;) appendFileSync(ballast, Buffer.alloc(bytes))
        } catch (error) {
          assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
        }
      }
    },
    empty: () => rmSync(ballast),
    remove,
  }
}
