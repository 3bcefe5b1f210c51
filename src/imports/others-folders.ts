import { constants } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { invalid } from '../errors.ts'
import { isLibraryId } from '../files/content/store-marker.ts'
import { backupFolder, generationTime } from '../media/backup-folder.ts'
import { dataFolder, isShelf } from '../media/data-folder.ts'
import { isGone } from './own-folders.ts'
import { REASONS } from './reasons.ts'

/** How many bytes of a marker are read: more than a library writes. */
const OF_MARKER = 64

/** What a folder is that holds contents of a library, as a reason not to import them. */
type Kept = typeof REASONS.backups | typeof REASONS.otherLibrary

/**
 * Returns what a folder is, by what is directly in it, if it is kept by some library; null for any other. Throws the
 * file system's errors where it can't be told.
 */
export async function keptFor(path: string): Promise<Kept | null> {
  if (await isBackup(path)) return REASONS.backups
  const { database, storeMarker } = dataFolder(path)
  // Old libraries have no marker, and contents may be on a disk of their own.
  const isLibrary =
    (await isFile(database)) ||
    (await isMarker(storeMarker)) ||
    (await isMarker(join(path, basename(storeMarker))))
  return isLibrary ? REASONS.otherLibrary : null
}

/**
 * Throws a validation error for a folder, by its path without links, that is kept by some library, or lies where one
 * keeps what is its own. `within` returns what the folder itself is.
 */
export async function refuseKept(path: string, within: () => Promise<Kept | null>): Promise<void> {
  const kept = (await within()) ?? (await keptAbove(path))
  if (kept) throw invalid('path', `must not be ${kept}, or lie in it`)
}

async function keptAbove(path: string): Promise<Kept | null> {
  const outer = dirname(path)
  if (outer === path) return null
  const kept = await keptFor(outer)
  if (kept && isOwn(kept, outer, path)) return kept
  return keptAbove(outer)
}

/** Returns whether what lies in a folder that is kept is kept with it: other things may lie beside backups. */
function isOwn(kept: Kept, outer: string, path: string): boolean {
  if (kept === REASONS.otherLibrary) return path !== dataFolder(outer).imports
  const { contents, generations } = backupFolder(outer)
  return path === contents || path === generations
}

async function isBackup(path: string): Promise<boolean> {
  const { contents, generations } = backupFolder(path)
  // First: what else is called contents may be huge.
  const names = await lookedAt(readdir(generations))
  if (names === 'absent') return false
  if (names !== 'hidden' && names.some((name) => generationTime(name) !== null)) {
    return (await lookedAt(stat(contents))) !== 'absent'
  }
  const shelves = await lookedAt(readdir(contents))
  return shelves !== 'absent' && shelves !== 'hidden' && shelves.some(isShelf)
}

/** Returns whether a file says that a library has its contents there; one that may not be read counts, too. */
async function isMarker(path: string): Promise<boolean> {
  if (!(await isFile(path))) return false
  // By now it may be a pipe, whose writer nobody waits for.
  const opened = await lookedAt(open(path, constants.O_RDONLY | constants.O_NONBLOCK))
  if (opened === 'absent' || opened === 'hidden') return opened === 'hidden'
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(OF_MARKER), 0, OF_MARKER, 0)
    return isLibraryId(buffer.toString('utf8', 0, bytesRead).trim())
  } finally {
    await opened.close()
  }
}

async function isFile(path: string): Promise<boolean> {
  const seen = await lookedAt(stat(path))
  return seen !== 'absent' && seen !== 'hidden' && seen.isFile()
}

/**
 * Returns what was found, or that nothing is there or that it may not be read; throws any other error, because it says
 * nothing of what is there.
 */
async function lookedAt<T>(result: Promise<T>): Promise<T | 'absent' | 'hidden'> {
  try {
    return await result
  } catch (error) {
    if (isGone(error)) return 'absent'
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return 'hidden'
    throw error
  }
}
