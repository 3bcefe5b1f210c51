import { constants, type Stats } from 'node:fs'
import { access, type FileHandle, lstat, open, readdir, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { AppError, invalid } from '../errors.ts'
import { dataFolder } from '../media/data-folder.ts'

const CHUNK = 256 * 1024

/** An entry of the import folder, as it was first seen. */
export interface FolderEntry {
  /** Absolute. */
  path: string
  name: string
  /** Milliseconds since 1970-01-01 UTC. */
  modified: number
  seen: Stats
  /** When it was seen, in milliseconds since 1970-01-01 UTC. */
  seenAt: number
  /** Why it can't be imported, or null for a file that can. */
  unfit: string | null
}

/**
 * Returns the real path of the folder that an import names: the configured one, or one below it.
 * The path may be relative or absolute, and is checked after links are resolved. Throws conflict
 * when import is turned off, and a validation error for anything but such a folder.
 */
export async function importFolder(
  { importPath, dataDir }: Config,
  path: string | undefined,
): Promise<string> {
  if (importPath === null) throw new AppError('conflict', 'Import is turned off')
  const base = await realFolder(importPath)
  const folder = path ? await realFolder(resolve(base, path)) : base
  if (!isWithin(folder, base)) throw invalid('path', 'must lie in the import folder')
  const library = await realpath(dataDir)
  // Through a link, the import folder may be one in which the library keeps its own files.
  if (isWithin(folder, library) && !isWithin(folder, dataFolder(library).imports)) {
    throw invalid('path', "must not hold the library's own files")
  }
  return folder
}

async function realFolder(path: string): Promise<string> {
  try {
    const real = await realpath(path)
    await access(real, constants.R_OK | constants.X_OK)
    if ((await stat(real)).isDirectory()) return real
  } catch {
    throw invalid('path', 'must be a folder that the server can read')
  }
  throw invalid('path', 'must be a folder')
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`)
}

/** Returns every entry of a folder, oldest first, then by name. */
export async function readFolder(folder: string): Promise<FolderEntry[]> {
  const names = await readdir(folder, { encoding: 'buffer' })
  const entries: FolderEntry[] = []
  for (const bytes of names) {
    const name = bytes.toString('utf8')
    const path = join(folder, name)
    const isReadable = Buffer.from(name).equals(bytes)
    const raw = isReadable ? path : Buffer.concat([Buffer.from(`${folder}/`), bytes])
    const seen = await look(raw)
    // It may have disappeared since the folder was read.
    if (!seen) continue
    const unfit = isReadable ? whyUnfit(name, seen) : 'its name is not UTF-8'
    entries.push({ path, name, modified: seen.mtimeMs, seen, seenAt: Date.now(), unfit })
  }
  return entries.sort(
    (a, b) => a.modified - b.modified || (a.name < b.name ? -1 : Number(a.name > b.name)),
  )
}

function whyUnfit(name: string, seen: Stats): string | null {
  if (seen.isSymbolicLink()) return 'a symbolic link'
  if (seen.isDirectory()) return 'a folder'
  if (!seen.isFile()) return 'not a regular file'
  if (name.startsWith('.')) return 'hidden'
  return seen.size === 0 ? 'empty' : null
}

/** Returns what is at a path, without following links, or null when nothing is there. */
export async function look(path: string | Buffer): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** Returns whether two looks at a path saw the same file and content, as far as can be told. */
export function isSameFile(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs
}

/**
 * Opens a file for reading, without following a link or waiting for the writer of a pipe. Returns
 * null when the file is gone.
 */
export async function openSource(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/** Yields the bytes of a file from its beginning; a chunk is valid until the next one is read. */
export async function* chunksOf(source: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.alloc(CHUNK)
  for (let position = 0; ; ) {
    const { bytesRead } = await source.read(buffer, 0, CHUNK, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/**
 * Removes an imported source if it is still the file that was read, and makes sure that it stays
 * removed. Returns whether the source is gone.
 */
export async function removeSource(path: string, read: Stats): Promise<boolean> {
  const now = await look(path)
  if (!now) return true
  if (!isSameFile(now, read)) return false
  await rm(path)
  // A source that a power cut brought back would be imported twice.
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
  return true
}
