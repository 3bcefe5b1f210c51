import type { FileHandle } from 'node:fs/promises'

/** A picture that is stored: a derivative, or the placeholder. */
export interface StoredPicture {
  open: () => Promise<FileHandle>
  /** Bytes. */
  size: number
  /** Returns all of them, of a picture that is kept in memory then; null when they can't be had so. */
  whole?: () => Promise<Uint8Array<ArrayBuffer> | null>
}
