import type { Db } from '../../db/client.ts'
import type { User } from '../../user.ts'
import { openListing, type Pools } from './listing.ts'
import { countMembers } from './members.ts'
import type { FileIdPage, FileIdsQuery } from './schema.ts'

/**
 * Returns the ids of the next files of a list, and how many it holds. Throws validation errors for its
 * cursor and filter, and not_found or forbidden for its pool.
 */
export async function listFileIds(
  db: Db,
  viewer: User,
  query: FileIdsQuery,
  pools: Pools,
): Promise<FileIdPage> {
  const { limit } = query
  const { listing, place, members } = await openListing(db, viewer, query, pools)
  const found = await listing.walk({ place, direction: 'forward', limit: limit + 1 })
  const ids = found.slice(0, limit).map((entry) => entry.id)
  const last = found[limit - 1]
  const goesOn = last !== undefined && found.length > limit
  const next_cursor = goesOn
    ? listing.cursorAt({ key: last.key, id: last.id, side: 'after' })
    : null
  return { ids, next_cursor, total: await countMembers(db, members) }
}
