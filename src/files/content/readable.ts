import type { Storage } from '../../media/storage.ts'

/** How the file system says that a file is gone, or that the disk is broken where it is. */
const UNREADABLE = new Set(['ENOENT', 'EIO'])
/** Bytes. */
const CHUNK = 2 ** 20

/** Returns whether an error may be that of a content which can't be read. */
export function mayBeUnreadable(error: unknown): boolean {
  return UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '')
}

/**
 * Returns whether a content can be read to its end. It can as well when the system refuses to have it
 * read at the moment.
 */
export async function isReadable(storage: Storage, blob: string): Promise<boolean> {
  try {
    const content = await storage.open(blob)
    try {
      const buffer = Buffer.alloc(CHUNK)
      while ((await content.read(buffer)).bytesRead > 0);
      return true
    } finally {
      await content.close()
    }
  } catch (error) {
    return !mayBeUnreadable(error)
  }
}
