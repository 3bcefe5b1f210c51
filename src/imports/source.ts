import type { FileHandle } from 'node:fs/promises'
import type { Describer } from '../tags/described/apply.ts'
import { isCut } from './cut.ts'
import { digestOf, type FolderEntry, isArchived, isSameFile, type Seen } from './entries.ts'
import type { MakeFile } from './library/files.ts'
import { REASONS } from './reasons.ts'
import type { HasWriter } from './rest.ts'
import type { ImportOptions } from './schema.ts'
import type { ReadBeside } from './sidecars.ts'
import type { OpenSource, Status } from './tree.ts'

// How long a file that its format calls cut must stay unchanged before it counts as complete, in milliseconds.
const CUT_REST = 600_000

/** The folder of each file that a run has imported, by its row number. */
export type Imported = Map<number, FolderEntry['folder']>

/** A source, and how its run treats it. */
export interface Source {
  entry: FolderEntry
  opened: Status
  options: ImportOptions
  hasWriter: HasWriter
  imported: Imported
  describer: Describer
  /** Empty unless the import goes by what is described. */
  read: ReadBeside
  make: MakeFile | undefined
}

/**
 * Opens the source of an entry, which its caller closes; returns why it can't be imported instead. Throws the file
 * system's errors.
 */
export async function openSource(
  entry: FolderEntry,
  hasWriter: HasWriter,
): Promise<string | { source: OpenSource; opened: Status }> {
  if (entry.unfit !== null) return entry.unfit
  if (entry.failure) throw entry.failure
  const source = await entry.folder.open(entry.raw)
  if (!source) return REASONS.gone
  let isFit = false
  try {
    const opened = await source.stat()
    isFit =
      opened.isFile() &&
      isSameFile(opened, entry.seen) &&
      // A ZIP has its directory at its end, and a checksum for each file.
      (isArchived(source) ||
        (!(await hasWriter(entry.raw, opened)) && !(await isCutLately(source, opened))))
    return isFit ? { source, opened } : REASONS.stillWritten
  } finally {
    if (!isFit) await source.close()
  }
}

// A process that can't be seen, such as one across a share, may have paused.
async function isCutLately(source: FileHandle, { size, ctimeMs }: Seen): Promise<boolean> {
  return Date.now() - ctimeMs < CUT_REST && isCut(source, size)
}

/**
 * Returns the source's present status if it has this SHA-256 and no process writes to it, or else a reason to leave it.
 * For a source that is gone, returns the former status. The source is read again only when its status has changed.
 */
export async function lookAgain(
  { entry, opened, hasWriter }: Pick<Source, 'entry' | 'opened' | 'hasWriter'>,
  sha256: Uint8Array,
): Promise<Seen | string> {
  const now = await entry.folder.look(entry.raw)
  if (!now) return opened
  if (!isSameFile(now, opened) && !(await hasBytes(entry, now, sha256))) return REASONS.changed
  return (await hasWriter(entry.raw, now)) ? REASONS.stillWritten : now
}

async function hasBytes(entry: FolderEntry, seen: Status, sha256: Uint8Array): Promise<boolean> {
  if (!seen.isFile()) return false
  const source = await entry.folder.open(entry.raw)
  if (!source) return false
  try {
    return (await digestOf(source)).equals(sha256) && isSameFile(await source.stat(), seen)
  } finally {
    await source.close()
  }
}
