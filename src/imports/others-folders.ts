import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { invalid } from '../errors.ts'
import { backupFolder, generationTime } from '../media/backup-folder.ts'
import { dataFolder, isShelf } from '../media/data-folder.ts'

/** What a folder is that holds contents of a library, as a reason not to import them. */
type Kept = 'a folder of backups' | 'another library'

/** Returns what a folder is, by what is directly in it, if it is kept by some library; null for any other. */
export async function keptFor(path: string): Promise<Kept | null> {
  if (await isBackup(path)) return 'a folder of backups'
  const { storeMarker } = dataFolder(path)
  // Contents may be on a disk of their own.
  const markers = [storeMarker, join(path, basename(storeMarker))]
  const found = await Promise.all(markers.map((marker) => unlessHidden(stat(marker))))
  return found.some((marker) => marker?.isFile()) ? 'another library' : null
}

/**
 * Throws a validation error for a folder, by its path without links, that is kept by some library, or lies where one
 * keeps what is its own. `inside` reaches the folder itself.
 */
export async function refuseKept(path: string, inside: string): Promise<void> {
  const kept = (await keptFor(inside)) ?? (await keptAbove(path))
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
  if (kept === 'another library') return path !== dataFolder(outer).imports
  const { contents, generations } = backupFolder(outer)
  return path === contents || path === generations
}

async function isBackup(path: string): Promise<boolean> {
  const { contents, generations } = backupFolder(path)
  const shelves = await unlessHidden(readdir(contents))
  if (!shelves) return false
  const names = await unlessHidden(readdir(generations))
  if (!names) return false
  return shelves.some(isShelf) || names.some((name) => generationTime(name) !== null)
}

/** What can't be looked at can't be imported either, and is no reason to refuse what is beside it. */
function unlessHidden<T>(result: Promise<T>): Promise<T | null> {
  return result.catch(() => null)
}
