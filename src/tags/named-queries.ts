import { and, asc, eq } from 'drizzle-orm'
import { preparedWithAccess } from '../acl/access.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { reading } from '../db/reading.ts'
import { tags } from '../db/schema/tags.ts'
import { fold } from '../db/text.ts'

const exactly = preparedWithAccess('tag', { name: tags.name }, (db, given, allowed) =>
  reading({ rid: tags.rid }, (fields) =>
    db
      .select(fields)
      .from(tags)
      .where(and(eq(tags.name, given.name), allowed.sql)),
  ),
)

const inAnyCase = preparedWithAccess('tag', { name_key: tags.name_key }, (db, given, allowed) =>
  reading({ rid: tags.rid }, (fields) =>
    db
      .select(fields)
      .from(tags)
      .where(and(eq(tags.name_key, given.name_key), eq(tags.is_deleted, false), allowed.sql))
      .orderBy(asc(tags.rid)),
  ),
)

/**
 * Returns the row number of the tag with a name that the user may view: the tag with exactly this spelling, otherwise
 * the oldest that differs only in case.
 */
export function findTagByName(db: Db, user: User, name: string): number | undefined {
  const { id } = user
  const found =
    exactly(user, 'view').get(db, { name, user: id }) ??
    inAnyCase(user, 'view').get(db, { name_key: fold(name), user: id })
  return found?.rid
}
