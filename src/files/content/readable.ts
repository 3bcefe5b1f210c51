import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isOfUnreadable } from '../../media/outcome.ts'
import type { Storage } from '../../media/storage.ts'

// In bytes.
const CHUNK = 2 ** 20

/**
 * Returns what is wrong with a content that caused an error: `lost` when it isn't on its shelf; `unread` when it seems
 * to be there, but on a disk that is broken or absent or that the server may not read; null when the error has another
 * cause, such as a missing folder. A content that the system refuses to read at the moment counts as readable. An
 * absent disk shows only by its missing shelves: an upload into the empty folder makes one, and from then on all
 * contents that belong on that shelf count as lost.
 */
export async function whyUnreadable(
  storage: Storage,
  blob: string,
  error: unknown,
): Promise<'lost' | 'unread' | null> {
  if (!isOfUnreadable(error)) return null
  try {
    if (codeOf(error) === 'EIO') await readToEnd(storage, blob)
    else await (await storage.open(blob)).close()
    return null
  } catch (cause) {
    if (!isOfUnreadable(cause)) return null
    return codeOf(cause) === 'ENOENT' && (await hasShelf(storage, blob)) ? 'lost' : 'unread'
  }
}

/** Reads a content to its end; throws the errors of the file system. */
export async function readToEnd(storage: Storage, blob: string): Promise<void> {
  const content = await storage.open(blob)
  try {
    const buffer = Buffer.alloc(CHUNK)
    while ((await content.read(buffer)).bytesRead > 0);
  } finally {
    await content.close()
  }
}

// If the shelf is missing as well, the whole disk may be, until something is stored in its place.
async function hasShelf(storage: Storage, blob: string): Promise<boolean> {
  const shelf = access(dirname(storage.pathForDecoder(blob)))
  return shelf.then(
    () => true,
    () => false,
  )
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}
