import { isOfUnreadable } from '../../media/outcome.ts'
import type { Storage } from '../../media/storage.ts'

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
    if (codeOf(error) === 'EIO') await storage.digest(blob)
    else await storage.readStart(blob)
    return null
  } catch (cause) {
    if (!isOfUnreadable(cause)) return null
    return codeOf(cause) === 'ENOENT' && (await storage.hasPlace(blob)) ? 'lost' : 'unread'
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}
