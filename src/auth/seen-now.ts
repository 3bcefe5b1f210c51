import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { unauthorized } from './guard.ts'
import { findActiveUser } from './queries.ts'

/**
 * Returns what a question is about, with the rights that its viewer has in the state of the library that answers it.
 * Throws `unauthorized` when there is no such user any more.
 */
export function seenNow<Asked extends { viewer: User }>(db: Db, asked: Asked): Asked {
  const viewer = findActiveUser(db, asked.viewer.id)
  if (!viewer) throw unauthorized()
  return { ...asked, viewer }
}
