import type { ContentRoom } from '../../base/disk.ts'
import type { StoreProblem } from '../../base/enums.ts'
import { AppError } from '../../base/errors.ts'
import type { Bytes, ReadRange } from '../file-bytes.ts'
import type { TemporaryCopy } from '../temporary.ts'

/** A store as it is now. */
export interface StoreState {
  name: string
  problem: StoreProblem | null
  /** When the problem was first seen, in milliseconds since 1970. */
  since: number | null
}

/** Where the contents of a library stay, by their blobs: a folder, or a store that others run. */
export interface Place {
  /** As messages call it. */
  name: string
  /** The room for contents on their way there. */
  room: ContentRoom
  /** Returns the bytes as `streamFile` does; throws ENOENT when there is no such content, and busy for now. */
  stream(blob: string, range?: ReadRange): Promise<Bytes>
  /** Returns the content for the runtime to read by itself, or null where it can't; throws as `stream` does. */
  asBlob(blob: string): Promise<Blob | null>
  /**
   * Returns what `fn` returns for the path of a content, which is good as long as `fn` runs; throws as `stream` does.
   * The file is not whole when it is too large for that: it has the beginning, the end, and zeros in between.
   */
  withLocalFile<T>(blob: string, fn: (path: string, isWhole: boolean) => Promise<T>): Promise<T>
  /** Returns whether a content is there. */
  has(blob: string): Promise<boolean>
  /** Returns the size of a content in bytes, or null when it is not there. */
  sizeOf(blob: string): Promise<number | null>
  /** Returns whether a content that is absent is lost; otherwise all contents may be absent. */
  hasShelf(blob: string): Promise<boolean>
  /** Stores a finished file at a path; resolves once it is safe. The path may be gone then. */
  store(path: string, blob: string, file: Pick<TemporaryCopy, 'finish'>): Promise<void>
  /** Removes a content, if it is there. */
  remove(blob: string): Promise<void>
  /**
   * Makes a content that is to be removed readable until `removeAside`. Returns whether it is gone from its place: if
   * not, it is to be removed again later.
   */
  setAside(blob: string): Promise<boolean>
  /** Removes a content and what was set aside of it. */
  removeAside(blob: string): Promise<void>
  /** Yields all contents with their sizes in bytes, those of one folder or store in order. Throws busy for now. */
  list(): AsyncGenerator<{ blob: string; size: number }, void>
  /** Returns the mark, which names the library of the contents, or null when there is none. */
  findMark(): Promise<string | null>
  /** Sets the mark. With `isNew`, throws conflict when another library has set its own meanwhile. */
  setMark(mark: string, options?: { isNew: boolean }): Promise<void>
  /** Removes the mark: the library has left the place. */
  removeMark(): Promise<void>
  /** Gives up copies that are not needed, so that there is more room; returns whether there were any. */
  makeRoom(): Promise<boolean>
  /** Asks a store whether it answers; null for a folder. */
  look(): Promise<StoreState | null>
  /** Removes what uploads that were cut off have left; returns how many and their bytes. */
  sweep(): Promise<{ uploads: number; bytes: number }>
}

/** Returns what `ask` returns, if need be after copies have been given up until there is room for it. */
export async function withRoom<T>(place: Place, ask: () => T): Promise<T> {
  for (;;) {
    try {
      return ask()
    } catch (error) {
      const isFull = error instanceof AppError && error.code === 'insufficient_storage'
      if (!isFull || !(await place.makeRoom())) throw error
    }
  }
}
