import { existsSync, realpathSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { AppError } from '../../base/errors.ts'
import { acquireLock } from '../../db/lock.ts'
import { backupFolder } from '../../media/backup-folder.ts'
import { listGenerations } from './generations.ts'
import { readHead } from './manifest.ts'

/**
 * Creates a folder of backups unless it exists. Throws a readable error for one that is in the data folder or around
 * it, and when its parent folder doesn't exist.
 */
export async function openFolder(dir: string, dataDir: string): Promise<void> {
  // If its parents were created as well, a backup would end up on another disk while the right one is not mounted.
  if (!existsSync(dir) && !existsSync(dirname(dir))) {
    throw new Error(`There is no folder ${dirname(dir)}: is its disk mounted?`)
  }
  const nearest = existsSync(dir) ? dir : dirname(dir)
  const [library, backups] = [realpathSync(dataDir), realpathSync(nearest)]
  if (isWithin(backups, library) || (nearest === dir && isWithin(library, backups))) {
    throw new Error(`${dir} must not lie in the data folder, or hold it`)
  }
  await mkdir(dir, { recursive: true })
}

const isWithin = (inner: string, outer: string) => !/^\.\.(\/|$)/.test(relative(outer, inner))

/** Throws a readable error when the backups are those of another library, by the newest one with a readable head. */
export async function requireSameLibrary(dir: string, library: string): Promise<void> {
  const names = await listGenerations(dir)
  for (const name of names.toReversed()) {
    const head = await readHead(backupFolder(dir).generation(name).manifest).catch(() => null)
    if (head?.library === library) return
    if (head) throw new Error(`${dir} has the backups of another library`)
  }
  if (names.length === 0) return
  throw new Error(`No manifest can be read in ${dir}: put it aside, and begin with another folder`)
}

/**
 * Takes the lock of a folder of backups. Without it, one of two libraries restored from the same backup would remove
 * what the other is writing, and a backup what is being restored. Returns null where the file system has no locks or
 * isn't writable. Throws conflict while it is held.
 */
export function lockFolder(dir: string): { release(): void } | null {
  try {
    return acquireLock(backupFolder(dir).lock, `Another backup or restore is at work in ${dir}`)
  } catch (error) {
    if (error instanceof AppError) throw error
    return null
  }
}

/** Returns whether two folders exist, on one file system. */
export function isSameDisk(one: string, other: string): boolean {
  const [found, place] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  return found !== undefined && found.dev === place?.dev
}
