import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { preparedWithAccess } from '../../acl/access.ts'
import type { Db } from '../../db/client.ts'
import { fileDetails, files } from '../../db/schema/files.ts'
import type { User } from '../../user.ts'

/** A file that has a content. */
interface Copy {
  rid: number
  id: string
  is_deleted: boolean
}

const copiesWhere = (condition?: SQL) =>
  preparedWithAccess(
    'file',
    { sha256: fileDetails.sha256, limit: 'number' },
    (db, given, allowed) =>
      db
        .select({ rid: files.rid, id: files.id, is_deleted: files.is_deleted })
        .from(sql`${fileDetails} INDEXED BY file_details_sha256`)
        .crossJoin(files)
        .where(
          and(
            eq(fileDetails.sha256, given.sha256),
            eq(files.rid, fileDetails.file_rid),
            condition,
            allowed.sql,
          ),
        )
        // The order of the index: a content may have thousands of files.
        .orderBy(asc(fileDetails.file_rid))
        .limit(given.limit as unknown as number),
  )

const copies = copiesWhere()
const keptCopies = copiesWhere(eq(files.is_deleted, false))
const trashedCopies = copiesWhere(eq(files.is_deleted, true))

/**
 * Returns the oldest files with a content that the user may view, at most `limit`: those in the trash behind the
 * others.
 */
export function listCopies(db: Db, user: User, sha256: Uint8Array, limit: number): Copy[] {
  const values = { sha256, user: user.id }
  const kept = keptCopies(user, 'view').all(db, { ...values, limit })
  const rest = limit - kept.length
  if (rest === 0) return kept
  return [...kept, ...trashedCopies(user, 'view').all(db, { ...values, limit: rest })]
}

/** Returns the oldest file with a content that the user may view, in the trash or not. */
export function findOldestCopy(db: Db, user: User, sha256: Uint8Array): Copy | undefined {
  return copies(user, 'view').get(db, { sha256, limit: 1, user: user.id })
}
