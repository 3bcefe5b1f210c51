import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { AppError } from '../base/errors.ts'
import { type ImportFolder, moved } from './folder.ts'
import type { RawName } from './raw-name.ts'

/** What a second look at a file compares. */
export type Status = Pick<
  Stats,
  'dev' | 'ino' | 'nlink' | 'size' | 'mtimeMs' | 'ctimeMs' | 'isFile'
>

/** A file in an archive, which can only be read from its beginning. */
export interface ArchivedFile {
  stat(): Promise<Status>
  /** Yields its bytes. Throws conflict when they are other than the archive says. */
  chunks(): AsyncGenerator<Uint8Array>
  close(): Promise<void>
}

/** A source that is open. */
export type OpenSource = FileHandle | ArchivedFile

/** What reading and removing sources needs of a folder. */
export interface SourceFolder extends Pick<ImportFolder, 'known' | 'pathTo' | 'removeIf'> {
  /** Whether it is in an archive, out of which nothing is removed. */
  isArchive?: true
  look(name: RawName): Promise<Status | null>
  open(name: RawName): Promise<OpenSource | null>
}

/**
 * Returns a folder below an open one, which is opened only while something is done in it: there may be more folders
 * than a process may have open. `names` lead to it from the open one, and `known` is its own name. When it isn't there
 * any more, nothing in it can be opened, and all else throws conflict: what was in it may still exist.
 */
export function briefly(
  outer: ImportFolder,
  names: RawName[],
  known: ImportFolder['known'],
): SourceFolder {
  const within = async <T>(
    work: (folder: ImportFolder) => Promise<T>,
    whenMoved: () => T = () => {
      throw moved()
    },
  ): Promise<T> => {
    const folder = await descend(outer, names)
    if (!folder) return whenMoved()
    try {
      return await work(folder)
    } finally {
      await folder.close()
    }
  }
  return {
    known,
    look: (name) => within((folder) => folder.look(name)),
    open: (name) =>
      within(
        (folder) => folder.open(name),
        () => null,
      ),
    pathTo: (name, source) => within((folder) => folder.pathTo(name, source)),
    // A single descent: another folder may have taken the place of this one before the next.
    removeIf: (name, isIt) => within((folder) => folder.removeIf(name, isIt)),
  }
}

// Returns null when one of the names is no folder, or a link.
async function descend(outer: ImportFolder, names: RawName[]): Promise<ImportFolder | null> {
  let folder = outer
  for (const name of names) {
    const above = folder
    try {
      folder = await above.folder(name)
    } catch (error) {
      if (error instanceof AppError && error.code === 'validation_error') return null
      throw error
    } finally {
      if (above !== outer) await above.close()
    }
  }
  return folder
}
