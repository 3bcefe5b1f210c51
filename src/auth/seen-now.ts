import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { unauthorized } from './guard.ts'
import { findActiveUser } from './queries.ts'

/**
 * Returns what a question is about, with the rights that its viewer has in the state of the library that answers it.
 * Throws `unauthorized` when there is no such user any more.
 */
export function seenNow<Asked extends { viewer: User }>(db: Db, asked: Asked): Asked {
  return { ...asked, viewer: userNow(db, asked.viewer.id) }
}

/** Returns a user with the rights of the moment. Throws `unauthorized` when there is no such user any more. */
export function userNow(db: Db, id: number): User {
  const user = findActiveUser(db, id)
  if (!user) throw unauthorized()
  return user
}
