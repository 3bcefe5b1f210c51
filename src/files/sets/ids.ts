import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../db/client.ts'
import type { Place } from '../../db/keyset.ts'
import type { User } from '../../user.ts'
import { haveChanged } from '../changes/follow.ts'
import { newestChange } from '../changes/queries.ts'
import { countFiles, type FileSet, hasFile } from '../file-set.ts'
import { highestFile } from '../filter/sets.ts'
import { placeOf } from '../page.ts'
import type { Entry } from '../walk.ts'
import { type ByTime, openListing, type Pools } from './listing.ts'
import { countMembers, type Members, membersOf, passInTurns } from './members.ts'
import { orderedFiles } from './ordered.ts'
import { entriesOf } from './ordered-queries.ts'
import type { FileIdPage, FileIdsQuery } from './schema.ts'

/** How many ids are looked up before other requests get a turn: about 3 ms. */
const STRETCH = 2500

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
  const part = { place, limit: limit + 1 }
  for (;;) {
    const since = newestChange(db, 'file_changes')
    const members = await membersOf(db, list)
    // Next to each other, files are read quicker along the index than one by one.
    const areMost = countFiles(members) * 3 > highestFile(db) * 2
    const found =
      byTime && !areMost
        ? await nextMembers(db, { ...list, ...byTime }, { members, since }, part)
        : await listing.walk({ ...part, direction: 'forward' })
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

/**
 * Returns the next files of a list that are in a set, by what is kept of all files in its order; null
 * when some of them changed since a change: they may be hidden, trashed, deleted or elsewhere by now.
 */
async function nextMembers(
  db: Db,
  list: Members & ByTime,
  { members, since }: { members: FileSet; since: number },
  { place, limit }: { place: Place | null; limit: number },
): Promise<Entry[] | null> {
  const ordered = await orderedFiles(db, list, place && { place, order: list.order })
  const rids: number[] = []
  await passInTurns({ ordered, members, order: list.order }, ({ first, step, length }) => {
    for (let n = 0; n < length && rids.length < limit; n++) {
      const rid = ordered.rids[first + n * step]!
      if (hasFile(members, rid)) rids.push(rid)
    }
    return rids.length < limit
  })
  const entries: Entry[] = []
  for (let at = 0; at < rids.length; at += STRETCH) {
    if (at > 0) await setImmediate()
    entries.push(...entriesOf(db, list.sort, rids.slice(at, at + STRETCH)))
  }
  return haveChanged(db, rids, since) ? null : entries
}
