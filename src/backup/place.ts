import { existsSync, realpathSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { createDisk } from '../disk.ts'
import { AppError } from '../errors.ts'
import { listGenerations } from './generations.ts'
import { backupFolder } from './layout.ts'
import { readHead } from './manifest.ts'

/**
 * Makes a folder of backups unless it is there. Throws a readable error for one that is in the data folder or around
 * it, and when the folder above it isn't there.
 */
export async function openPlace(dir: string, dataDir: string): Promise<void> {
  // Made with all above it, a backup would end up on another disk while the right one is not mounted.
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

/** Throws a readable error when the newest generation is one of another library. */
export async function requireSameLibrary(dir: string, library: string): Promise<void> {
  const newest = (await listGenerations(dir)).at(-1)
  if (newest === undefined) return
  const head = await readHead(backupFolder(dir).generation(newest).manifest)
  if (head.library !== library) throw new Error(`${dir} has the backups of another library`)
}

const GIB = 2 ** 30
const inGib = (bytes: number) => `${(bytes / GIB).toFixed(1)} GiB`

/** Throws insufficient_storage unless so many bytes, and a GiB more, are free on the disk of a folder. */
export function requireRoom(dir: string, bytes: number): void {
  const free = createDisk(dir, 0).free()
  if (free === null || free >= bytes + GIB) return
  const needed = `${inGib(bytes + GIB)} are needed in ${dir}, where ${inGib(free)} are free`
  throw new AppError('insufficient_storage', needed)
}

/** Returns whether two folders are on one file system. */
export function isSameDisk(one: string, other: string): boolean {
  return statSync(one).dev === statSync(other).dev
}
