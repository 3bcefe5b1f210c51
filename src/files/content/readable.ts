import type { FileHandle } from 'node:fs/promises'
import { isOfUnreadable } from '../../media/outcome.ts'
import type { Storage } from '../../media/storage.ts'

/** Bytes. */
const CHUNK = 2 ** 20

/**
 * Returns whether an error is that of a content which can't be read, and not of something else, like a
 * folder that is missing. What the system refuses to have read at the moment can be read.
 */
export async function isUnreadable(
  storage: Storage,
  blob: string,
  error: unknown,
): Promise<boolean> {
  if (!isOfUnreadable(error)) return false
  try {
    const content = await storage.open(blob)
    try {
      if ((error as NodeJS.ErrnoException).code === 'EIO') await readWhole(content)
      return false
    } finally {
      await content.close()
    }
  } catch (cause) {
    return isOfUnreadable(cause)
  }
}

async function readWhole(content: FileHandle): Promise<void> {
  const buffer = Buffer.alloc(CHUNK)
  while ((await content.read(buffer)).bytesRead > 0);
}
