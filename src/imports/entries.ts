import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { ImportFolder } from './folder.ts'

const CHUNK = 256 * 1024

/** An entry of the import folder, as it was first seen. */
export interface FolderEntry {
  folder: ImportFolder
  /** Its name in the journal. */
  known: string
  name: string
  /** Milliseconds since 1970-01-01 UTC. */
  modified: number
  seen: Stats
  /** When it was seen, in milliseconds since 1970-01-01 UTC. */
  seenAt: number
  /** Why it can't be imported, or null for a file that can. */
  unfit: string | null
}

/** Returns every entry of a folder, oldest first, then by name. */
export async function readFolder(folder: ImportFolder): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = []
  for (const bytes of await folder.names()) {
    const seen = await folder.look(bytes)
    // It may have disappeared since the folder was read.
    if (!seen) continue
    const name = bytes.toString('utf8')
    const isReadable = Buffer.from(name).equals(bytes)
    const unfit = isReadable ? whyUnfit(name, seen) : 'its name is not UTF-8'
    const known = folder.known(name)
    entries.push({ folder, known, name, modified: seen.mtimeMs, seen, seenAt: Date.now(), unfit })
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

/** Returns whether two looks at a name saw the same file and content, as far as can be told. */
export function isSameFile(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs
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
 * Removes an imported source if it is still the file that was read. Returns whether the source is
 * gone.
 */
export async function removeSource({ folder, name }: FolderEntry, read: Stats): Promise<boolean> {
  const now = await folder.look(name)
  if (!now) return true
  if (!isSameFile(now, read)) return false
  await folder.remove(name)
  return true
}
