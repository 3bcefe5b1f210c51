import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { unauthorized } from './guard.ts'
import { findActiveUser } from './queries.ts'

/**
 * Returns the question with its viewer's rights as they are in the library's state that answers it. Throws AppError
 * unauthorized when the user no longer exists.
 */
export function seenNow<Asked extends { viewer: User }>(db: Db, asked: Asked): Asked {
  return { ...asked, viewer: userNow(db, asked.viewer.id) }
}

/** Returns a user with their present rights. Throws AppError unauthorized when the user no longer exists. */
export function userNow(db: Db, id: number): User {
  const user = findActiveUser(db, id)
  if (!user) throw unauthorized()
  return user
}
