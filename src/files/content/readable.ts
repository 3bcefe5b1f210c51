import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isOfUnreadable } from '../../media/outcome.ts'
import type { Storage } from '../../media/storage.ts'

/** Bytes. */
const CHUNK = 2 ** 20

/**
 * Returns what is wrong with a content that met an error: `lost` when it isn't on its shelf; `unread` when
 * it is there for all that is known, on a disk that is broken or absent or that the server may not read;
 * null when the error is of something else, like a folder that is missing. What the system refuses to
 * have read at the moment can be read. An absent disk is known by its missing shelves alone: an upload
 * into the empty folder makes one, and all contents that belong on it are taken for lost from then on.
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

/** Where its shelf is missing, too, the whole disk may be, until something is stored in its place. */
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
