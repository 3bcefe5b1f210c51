import type { Db } from '../../db/client.ts'
import type { User } from '../../user.ts'
import { listCopies } from './queries.ts'
import { type KnownContent, MOST_COPIES } from './schema.ts'

/** Returns which of the contents files have that the user may view, by their SHA-256 in hex. */
export function knownContents(db: Db, user: User, digests: string[]): KnownContent[] {
  return [...new Set(digests)].flatMap((sha256) => knownContent(db, user, sha256) ?? [])
}

function knownContent(db: Db, user: User, sha256: string): KnownContent | null {
  const bytes = Buffer.from(sha256, 'hex')
  const copies = (is_deleted: boolean, limit: number) =>
    limit === 0 ? [] : listCopies(db, user, bytes, { is_deleted, limit })
  const kept = copies(false, MOST_COPIES)
  const trashed = copies(true, MOST_COPIES - kept.length)
  const file_ids = [...kept, ...trashed].map(({ id }) => id)
  return file_ids.length === 0 ? null : { sha256, file_ids, in_trash: kept.length === 0 }
}
