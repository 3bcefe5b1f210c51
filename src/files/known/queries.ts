import { and, asc, eq, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
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

const copiesBy = (...order: SQLiteColumn[]) =>
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
            allowed.sql,
          ),
        )
        .orderBy(...order.map((column) => asc(column)))
        .limit(given.limit as unknown as number),
  )

const keptFirst = copiesBy(files.is_deleted, fileDetails.file_rid)
const oldestFirst = copiesBy(fileDetails.file_rid)

/**
 * Returns the oldest files with a content that the user may view, at most `limit`: those in the trash behind the
 * others.
 */
export function listCopies(db: Db, user: User, sha256: Uint8Array, limit: number): Copy[] {
  return keptFirst(user, 'view').all(db, { sha256, limit, user: user.id })
}

/** Returns the oldest file with a content that the user may view, in the trash or not. */
export function findOldestCopy(db: Db, user: User, sha256: Uint8Array): Copy | undefined {
  return oldestFirst(user, 'view').get(db, { sha256, limit: 1, user: user.id })
}
