import { and, asc, eq, sql } from 'drizzle-orm'
import { preparedWithAccess } from '../../acl/access.ts'
import type { Db } from '../../db/client.ts'
import { fileDetails, files } from '../../db/schema/files.ts'
import type { User } from '../../user.ts'

/** A file that has a content. */
interface Copy {
  rid: number
  id: string
}

const copies = preparedWithAccess(
  'file',
  { sha256: fileDetails.sha256, is_deleted: files.is_deleted, limit: 'number' },
  (db, given, allowed) =>
    db
      .select({ rid: files.rid, id: files.id })
      .from(sql`${fileDetails} INDEXED BY file_details_sha256`)
      .crossJoin(files)
      .where(
        and(
          eq(fileDetails.sha256, given.sha256),
          eq(files.rid, fileDetails.file_rid),
          eq(files.is_deleted, given.is_deleted),
          allowed.sql,
        ),
      )
      .orderBy(asc(fileDetails.file_rid))
      .limit(given.limit as unknown as number),
)

/**
 * Returns the oldest files with a content that the user may view, at most `limit`: those in the trash, or
 * those that aren't.
 */
export function listCopies(
  db: Db,
  user: User,
  sha256: Uint8Array,
  { is_deleted, limit }: { is_deleted: boolean; limit: number },
): Copy[] {
  return copies(user, 'view').all(db, { sha256, is_deleted, limit, user: user.id })
}

/** Returns the oldest file with a content that the user may view, in the trash or not. */
export function findOldestCopy(db: Db, user: User, sha256: Uint8Array): Copy | undefined {
  const [kept, trashed] = [false, true].map(
    (is_deleted) => listCopies(db, user, sha256, { is_deleted, limit: 1 })[0],
  )
  if (!kept || !trashed) return kept ?? trashed
  return kept.rid < trashed.rid ? kept : trashed
}
