import type { Db } from '../../db/client.ts'
import type { User } from '../../user.ts'
import { newestChange } from '../changes/queries.ts'
import { countFiles } from '../file-set.ts'
import { highestFile } from '../filter/sets.ts'
import { placeOf } from '../find/page.ts'
import { openListing, type Pools } from './listing.ts'
import { countMembers, membersInOrder } from './members.ts'
import { nextMembers } from './next-members.ts'
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
  const { listing, place, members: list, byTime } = await openListing(db, viewer, query, pools)
  const part = { place, direction: 'forward' as const, limit: limit + 1 }
  for (;;) {
    const since = newestChange(db, 'file_changes')
    const members = await membersInOrder(db, list)
    // Next to each other, files are read quicker along the index than one by one.
    const areMost = countFiles(members) * 3 > highestFile(db) * 2
    const found =
      byTime && !areMost
        ? await nextMembers(db, { ...list, ...byTime }, { members, since }, part)
        : await listing.walk(part)
    if (!found) continue
    const last = found[limit - 1]
    const goesOn = last !== undefined && found.length > limit
    return {
      ids: found.slice(0, limit).map((entry) => entry.id),
      next_cursor: goesOn ? listing.cursorAt(placeOf(last, 'after')) : null,
      total: await countMembers(db, list, members),
    }
  }
}
