import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { preparedWithAccess } from '../../acl/access.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { asLimit, type Given, prepared } from '../../db/prepared.ts'
import { reading } from '../../db/reading.ts'
import { fileDetails, files } from '../../db/schema/files.ts'

interface Copy {
  rid: number
  id: string
  is_deleted: boolean
}

const CONTENT = { sha256: fileDetails.sha256, limit: 'number' } as const

const copies = (db: Db, { sha256, limit }: Given<typeof CONTENT>, ...conditions: SQL[]) =>
  reading({ rid: files.rid, id: files.id, is_deleted: files.is_deleted }, (fields) =>
    db
      .select(fields)
      .from(sql`${fileDetails} INDEXED BY file_details_sha256`)
      .crossJoin(files)
      .where(
        and(eq(fileDetails.sha256, sha256), eq(files.rid, fileDetails.file_rid), ...conditions),
      )
      // Follows the index, since a content may have thousands of files.
      .orderBy(asc(fileDetails.file_rid))
      .limit(asLimit(limit)),
  )

const copiesWhere = (condition: SQL) =>
  preparedWithAccess('file', CONTENT, (db, given, allowed) =>
    copies(db, given, condition, allowed.sql),
  )

const copiesOutsideTrash = copiesWhere(eq(files.is_deleted, false))
const trashedCopies = copiesWhere(eq(files.is_deleted, true))
const ownCopiesWhere = (condition: SQL) =>
  prepared({ ...CONTENT, creator_id: files.creator_id }, (db, given) =>
    copies(db, given, condition, eq(files.creator_id, given.creator_id)),
  )
const ownCopies = ownCopiesWhere(eq(files.is_deleted, false))
const ownTrashedCopies = ownCopiesWhere(eq(files.is_deleted, true))

/**
 * Returns the oldest files with a content that the user may view, at most `limit`, those in the trash after the others.
 */
export function listCopies(db: Db, user: User, sha256: Uint8Array, limit: number): Copy[] {
  const values = { sha256, user: user.id }
  const outside = copiesOutsideTrash(user, 'view').all(db, { ...values, limit })
  const rest = limit - outside.length
  if (rest === 0) return outside
  return [...outside, ...trashedCopies(user, 'view').all(db, { ...values, limit: rest })]
}

/**
 * Returns the file that stands for a repeated content: the oldest that the user may view, otherwise the oldest in the
 * trash that the user may edit and so restore. Files that others have trashed may be gone any day.
 */
export function findStandIn(db: Db, user: User, sha256: Uint8Array): Copy | undefined {
  const values = { sha256, limit: 1, user: user.id }
  return (
    copiesOutsideTrash(user, 'view').get(db, values) ?? trashedCopies(user, 'edit').get(db, values)
  )
}

/** Returns the oldest file of a user with this content that is not in the trash. */
export function findOwnCopy(db: Db, creator_id: number, sha256: Uint8Array): Copy | undefined {
  return ownCopies.get(db, { sha256, limit: 1, creator_id })
}

/** Returns the oldest file of a user with this content, one in the trash only when there is no other. */
export function findOwnStandIn(db: Db, creator_id: number, sha256: Uint8Array): Copy | undefined {
  const values = { sha256, limit: 1, creator_id }
  return ownCopies.get(db, values) ?? ownTrashedCopies.get(db, values)
}
