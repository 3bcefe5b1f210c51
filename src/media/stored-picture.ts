import type { FileHandle } from 'node:fs/promises'

/** A picture that is stored: a derivative, or the placeholder. */
export interface StoredPicture {
  open: () => Promise<FileHandle>
  /** Bytes. */
  size: number
  /** All of them, of a picture that is in memory. */
  bytes?: Uint8Array<ArrayBuffer>
}
