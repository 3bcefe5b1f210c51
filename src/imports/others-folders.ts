import { constants } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AppError, invalid } from '../base/errors.ts'
import { isLibraryId } from '../files/content/store-marker.ts'
import { backupFolder, generationTime } from '../media/backup-folder.ts'
import { dataFolder, isShelf } from '../media/data-folder.ts'
import { isGone } from './own-folders.ts'
import { REASONS } from './reasons.ts'

// How many bytes of a marker are read: more than a library writes.
const OF_MARKER = 64

type Purpose = typeof REASONS.backups | typeof REASONS.otherLibrary

/**
 * Returns what a folder is, by its direct contents, if a library uses it for its own; null for any other. Throws the
 * file system's errors where that can't be determined.
 */
export async function purposeOf(path: string): Promise<Purpose | null> {
  if (await isBackup(path)) return REASONS.backups
  return (await isLibrary(path)) ? REASONS.otherLibrary : null
}

/**
 * Throws a validation error for a folder, by its path without links, that a library uses for its own, or that lies
 * inside such a folder. Where that can't be determined it throws conflict, unless the folder is only to be listed.
 * `within` returns what the folder itself is.
 */
export async function refuseUsed(
  path: string,
  { within, toList }: { within: () => Promise<Purpose | null>; toList: boolean },
): Promise<void> {
  const outer = outwards(path).map(([folder, inner]) => ({
    folder,
    look: () => purposeWith(folder, inner),
  }))
  for (const { folder, look } of [{ folder: path, look: within }, ...outer]) {
    const purpose = await look().catch((error) => {
      if (toList && !(error instanceof AppError)) return null
      throw undetermined(folder, error)
    })
    if (purpose) {
      const named = JSON.stringify(folder)
      throw invalid('path', `must not be ${purpose}, or lie in it: ${named} is ${purpose}`)
    }
  }
}

// From the inside, each with the folder inside it on that way.
function outwards(path: string): [folder: string, inner: string][] {
  const outer = dirname(path)
  return outer === path ? [] : [[outer, path], ...outwards(outer)]
}

function undetermined(folder: string, error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code = String(error) } = error as NodeJS.ErrnoException
  const sentence = `Whether ${JSON.stringify(folder)} belongs to a library can't be determined: ${code}`
  return new AppError('conflict', sentence)
}

// Other things may lie beside backups, and a library has a folder for imports, so the inner folder's name matters.
async function purposeWith(outer: string, inner: string): Promise<Purpose | null> {
  const { contents, generations } = backupFolder(outer)
  const mayBeBackups = inner === contents || inner === generations
  if (mayBeBackups && (await isBackup(outer))) return REASONS.backups
  const mayBeLibrary = inner !== dataFolder(outer).imports
  return mayBeLibrary && (await isLibrary(outer)) ? REASONS.otherLibrary : null
}

async function isLibrary(path: string): Promise<boolean> {
  const { database, storeMarker, contents, derivatives } = dataFolder(path)
  // Contents may be on a disk of their own.
  if ((await isMarker(storeMarker)) || (await isMarker(join(path, basename(storeMarker)))))
    return true
  // Old libraries have no marker; a database alone may be somebody's copy.
  if (!(await isFile(database))) return false
  for (const folder of [contents, ...Object.values(derivatives)]) {
    const names = await lookedAt(readdir(folder))
    if (names === 'hidden' || (names !== 'absent' && names.some(isShelf))) return true
  }
  return false
}

async function isBackup(path: string): Promise<boolean> {
  const { contents, generations } = backupFolder(path)
  // This is checked first, since another folder called contents may be huge.
  const names = await lookedAt(readdir(generations))
  if (names === 'absent') return false
  if (names !== 'hidden' && names.some((name) => generationTime(name) !== null)) {
    return (await lookedAt(stat(contents))) !== 'absent'
  }
  const shelves = await lookedAt(readdir(contents))
  return shelves !== 'absent' && shelves !== 'hidden' && shelves.some(isShelf)
}

// A file that may not be read counts as a marker.
async function isMarker(path: string): Promise<boolean> {
  if (!(await isFile(path))) return false
  // By now it may be a pipe, whose writer must not be waited for.
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

// Throws any other error, because it says nothing about what is there.
async function lookedAt<T>(result: Promise<T>): Promise<T | 'absent' | 'hidden'> {
  try {
    return await result
  } catch (error) {
    if (isGone(error)) return 'absent'
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return 'hidden'
    throw error
  }
}
