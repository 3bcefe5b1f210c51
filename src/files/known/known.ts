import { AppError } from '../../base/errors.ts'
import { createPause } from '../../base/pause.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { findOwnStandIn, findStandIn, listCopies } from './queries.ts'
import { type KnownContent, MOST_COPIES, type OnDuplicateOrOwn } from './schema.ts'

/** The error message for a content that must be new and isn't. */
export const CONTENT_KNOWN = 'A file with the same content is already in the library'

/** Returns, by their SHA-256 in hex, which of the contents are in files that the user may view. */
export async function knownContents(
  db: Db,
  user: User,
  digests: string[],
): Promise<KnownContent[]> {
  const pause = createPause()
  const known: KnownContent[] = []
  for (const sha256 of new Set(digests)) {
    const copies = listCopies(db, user, Buffer.from(sha256, 'hex'), MOST_COPIES)
    const [first] = copies
    if (first) {
      known.push({ sha256, file_ids: copies.map(({ id }) => id), in_trash: first.is_deleted })
    }
    await pause()
  }
  return known
}

/**
 * Returns the file that stands for a content, as `findStandIn` returns it, if such a content is to be skipped; null
 * when the content is new to the user or may come again. Throws conflict, with the id of that file, when the content
 * must be new. Files that the user may not view never count.
 */
export function fileInstead(
  db: Db,
  user: User,
  { sha256, on_duplicate }: { sha256: Uint8Array; on_duplicate: OnDuplicateOrOwn },
): { rid: number; id: string } | null {
  if (on_duplicate === 'keep') return null
  if (on_duplicate === 'own') return findOwnStandIn(db, user.id, sha256) ?? null
  const copy = findStandIn(db, user, sha256)
  if (copy && on_duplicate === 'conflict') {
    const details = [{ field: 'file_id', message: copy.id }]
    throw new AppError('conflict', CONTENT_KNOWN, { details })
  }
  return copy ?? null
}
