import { seenNow } from '../../auth/seen-now.ts'
import type { Db } from '../../db/client.ts'
import { question } from '../../reader/question.ts'
import type { User } from '../../user.ts'
import { countFiles } from '../file-set.ts'
import { type Members, membersOf } from '../find/members.ts'
import { placeOf } from '../find/page.ts'
import { openListing, type Pools } from './listing.ts'
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
  const last = found[limit - 1]
  const goesOn = last !== undefined && found.length > limit
  return {
    ids: found.slice(0, limit).map((entry) => entry.id),
    next_cursor: goesOn ? listing.cursorAt(placeOf(last, 'after')) : null,
    total: goesOn || place ? await countMembers(db, members) : found.length,
  }
}

export const countMembers = question('overview', 'count', (db: Db, list: Members): number =>
  countFiles(membersOf(db, seenNow(db, list))),
)
