import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import type { Sidecar } from '../media/description.ts'
import type { Storage } from '../media/storage.ts'
import type { TemporaryCopy } from '../media/temporary.ts'
import type { ImportFolder } from './folder.ts'
import { isHidden, type RawName, rawName, readable } from './raw-name.ts'
import { REASONS } from './reasons.ts'
import type { Album } from './takeout/albums.ts'
import {
  type ArchivedFile,
  briefly,
  type OpenSource,
  type SourceFolder,
  type Status,
} from './tree.ts'

const CHUNK = 256 * 1024
// The depth to which folders are entered; each level is open meanwhile.
const MOST_LEVELS = 64

/** The part of a file's status that is retained: a tree may have millions of files. */
export type Seen = Omit<Status, 'isFile'>

/** An entry of the import folder, as it was first seen. */
export interface FolderEntry {
  folder: SourceFolder
  /** Its name in the journal. */
  known: string
  /** The name in a form that people can read. */
  name: string
  raw: RawName
  /** The names of the folders from the imported one down to its own. */
  folders: string[]
  /** Milliseconds since 1970-01-01 UTC. */
  modified: number
  seen: Seen
  /** When it was seen, in milliseconds since 1970-01-01 UTC. */
  seenAt: number
  /** Why it can't be imported, or null for a file that can. */
  unfit: string | null
  /** What went wrong with a folder that can't be entered. */
  failure?: unknown
  /** The files beside it that describe it. */
  sidecars?: Beside[]
  /** Of a file in the export of a service: what the export says of it beside that. */
  exported?: { album: Album | null }
}

/** A file that describes pictures and films beside it. */
export interface Beside {
  kind: Sidecar['kind']
  entry: FolderEntry
  /** Those that it describes and whose sources are still there. */
  pictures: Set<FolderEntry>
}

/**
 * Returns every entry of a folder, oldest first, then by name. With `recursive`, the entries of its folders take their
 * place, except for hidden folders, those of systems, and those of which `whyLeft` says why they are left alone. The
 * search stops once `isOver` returns true.
 */
export async function readFolder(
  folder: ImportFolder,
  {
    recursive = false,
    isOver = () => false,
    whyLeft = async () => null,
  }: {
    recursive?: boolean | undefined
    isOver?: () => boolean
    whyLeft?: (folder: ImportFolder) => Promise<string | null>
  } = {},
): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = []
  const visit = async (current: ImportFolder, way: { folders: string[]; raw: RawName[] }) => {
    const { folders, raw } = way
    const source = raw.length === 0 ? folder : briefly(folder, raw, current.known)
    for (const bytes of await current.names()) {
      if (isOver()) return
      const seen = await lookAt(current, { bytes, source, folders })
      // It may have disappeared since the folder was read.
      if (!seen) continue
      const { entry, isFolder } = seen
      if (!recursive || !isFolder) entries.push(entry)
      else if (isLeftAlone(entry.name)) entries.push({ ...entry, unfit: REASONS.leftAlone })
      else if (isHidden(entry.raw)) entries.push({ ...entry, unfit: REASONS.hidden })
      else if (folders.length < MOST_LEVELS) await goInto(current, entry, raw)
      else entries.push({ ...entry, unfit: REASONS.tooFarDown })
    }
  }
  const goInto = async (current: ImportFolder, entry: FolderEntry, above: RawName[]) => {
    let inner: ImportFolder | undefined
    try {
      inner = await current.folder(entry.raw)
      const unfit = (await inner.purpose()) ?? (await whyLeft(inner))
      if (unfit) entries.push({ ...entry, unfit })
      else {
        const folders = [...entry.folders, entry.name]
        await visit(inner, { folders, raw: [...above, entry.raw] })
      }
    } catch (failure) {
      if (await current.look(entry.raw)) entries.push({ ...entry, unfit: null, failure })
    } finally {
      await inner?.close()
    }
  }
  await visit(folder, { folders: [], raw: [] })
  return oldestFirst(entries)
}

/** Sorts entries by when they were changed, then by name, and returns them. */
export function oldestFirst(entries: FolderEntry[]): FolderEntry[] {
  return entries.sort((a, b) => a.modified - b.modified || compare(a.known, b.known))
}

// Returns null when nothing has the name.
async function lookAt(
  folder: ImportFolder,
  { bytes, source, folders }: { bytes: Buffer; source: SourceFolder; folders: string[] },
): Promise<{ entry: FolderEntry; isFolder: boolean } | null> {
  const stats = await folder.look(bytes)
  if (!stats) return null
  const raw = rawName(bytes)
  const { dev, ino, nlink, size, mtimeMs, ctimeMs } = stats
  const entry = {
    folder: source,
    known: folder.known(raw),
    name: readable(raw),
    raw,
    folders,
    modified: mtimeMs,
    seen: { dev, ino, nlink, size, mtimeMs, ctimeMs },
    seenAt: Date.now(),
    unfit: whyUnfit(raw, stats),
  }
  return { entry, isFolder: stats.isDirectory() }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** Returns the path of an entry from the imported folder. */
export function pathOf({ folders, name }: FolderEntry): string {
  return [...folders, name].join('/')
}

function whyUnfit(name: RawName, seen: Stats): string | null {
  if (seen.isSymbolicLink()) return REASONS.link
  if (seen.isDirectory()) return REASONS.folder
  if (!seen.isFile()) return REASONS.noFile
  if (isHidden(name)) return REASONS.hidden
  if (isUnfinished(readable(name))) return REASONS.unfinished
  return seen.size === 0 ? REASONS.empty : null
}

/** Returns why a file in an archive can't be imported, by the names of its folders and its own; null if it can. */
export function unfitPath(names: string[]): string | null {
  if (names.length > MOST_LEVELS + 1) return REASONS.tooFarDown
  if (names.some(isHidden)) return REASONS.hidden
  if (names.slice(0, -1).some(isLeftAlone)) return REASONS.leftAlone
  return isUnfinished(names.at(-1)!) ? REASONS.unfinished : null
}

/**
 * Returns whether two looks at a name, `now` and `before`, saw the same file and content, as far as its status shows.
 */
export function isSameFile(now: Seen, before: Seen): boolean {
  const { dev, ino, nlink, size, mtimeMs, ctimeMs } = before
  if (now.dev !== dev || now.ino !== ino || now.size !== size || now.mtimeMs !== mtimeMs) {
    return false
  }
  // Removing one name of a file, as an import does, changes it for its other names.
  return now.ctimeMs === ctimeMs || now.nlink < nlink
}

/** Returns whether a source is in an archive. */
export function isArchived(source: OpenSource): source is ArchivedFile {
  return 'chunks' in source
}

/**
 * Yields the bytes of a source, those of a file from a position on; a chunk is valid until the next one is read.
 */
export async function* chunksOf(source: OpenSource, start = 0): AsyncGenerator<Uint8Array> {
  if (isArchived(source)) return yield* source.chunks()
  const buffer = Buffer.alloc(CHUNK)
  for (let position = start; ; ) {
    const { bytesRead } = await source.read(buffer, 0, CHUNK, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Returns a temporary copy, which shares blocks with the source where the file system can do that. */
export async function copyOf(
  storage: Pick<Storage, 'cloneTemporary' | 'createTemporary'>,
  source: OpenSource,
  size: number,
): Promise<TemporaryCopy> {
  const clone = isArchived(source) ? null : await storage.cloneTemporary(source)
  if (clone) return clone
  const temporary = await storage.createTemporary(size)
  try {
    for await (const chunk of chunksOf(source)) await temporary.write(chunk)
    return temporary
  } catch (error) {
    await temporary.discard()
    throw error
  }
}

/** Returns the SHA-256 of an open source. */
export async function digestOf(source: OpenSource): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of chunksOf(source)) hash.update(chunk)
  return hash.digest()
}

/** Removes an imported source if it is still the file that was read. Returns whether the source is gone. */
export async function removeSource({ folder, raw }: FolderEntry, read: Seen): Promise<boolean> {
  return (await folder.removeIf(raw, (now) => isSameFile(now, read))) !== 'other'
}

/**
 * Folders that storage boxes, systems and file managers put among pictures: thumbnails, deleted files, and snapshots.
 */
export const LEFT_FOLDERS = [
  '@eaDir',
  '#recycle',
  '@Recycle',
  '$RECYCLE.BIN',
  'RECYCLER',
  'Network Trash Folder',
  'System Volume Information',
  'lost+found',
  '#snapshot',
  '@Recently-Snapshot',
  '~snapshot',
  'Thumbs',
  '.thumbnails',
  '__MACOSX',
]

/** What programs append to the name of a file that they haven't finished. */
export const UNFINISHED = ['.part', '.partial', '.filepart', '.crdownload', '.download', '.tmp']

const FOLDERS = new Set(LEFT_FOLDERS.map((name) => name.toLowerCase()))

function isLeftAlone(folder: string): boolean {
  return FOLDERS.has(folder.toLowerCase())
}

function isUnfinished(name: string): boolean {
  const lower = name.toLowerCase()
  return UNFINISHED.some((ending) => lower.endsWith(ending))
}
