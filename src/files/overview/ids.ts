import { seenNow } from '../../auth/seen-now.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { question } from '../../reader/question.ts'
import { countFiles } from '../file-set.ts'
import { walkMembers } from '../find/far.ts'
import { settled, withRightsOfNow } from '../find/list.ts'
import { countSeen, type Members, membersOf } from '../find/members.ts'
import { findNear } from '../find/near.ts'
import { placeOf } from '../find/page.ts'
import type { Walk } from '../find/query.ts'
import type { Entry } from '../find/statement.ts'
import { type Opened, openListing, type Pools } from './listing.ts'
import type { FileIdPage, FileIdsQuery } from './schema.ts'

/**
 * Returns the ids of the next files of a list, and how many it holds. Throws validation errors for its cursor and
 * filter, and not_found or forbidden for its pool.
 */
export async function listFileIds(
  db: Db,
  viewer: User,
  query: FileIdsQuery,
  pools: Pools,
): Promise<FileIdPage> {
  const ask = (now: User) => openListing(db, now, query, pools)
  return withRightsOfNow(db, viewer, ask, (opened) => pageOfIds(db, query, opened))
}

async function pageOfIds(
  db: Db,
  { limit }: FileIdsQuery,
  { listing, place, members, list }: Opened,
): Promise<FileIdPage> {
  const part = { place, direction: 'forward', limit: limit + 1 } as const
  // In a pool's own order, both belong to the same state only if nothing is written meanwhile.
  const { found, total } = list
    ? await findIds(db, { list, ...part })
    : { found: await listing.walk(part), total: await countMembers(db, members) }
  const last = found[limit - 1]
  const goesOn = last !== undefined && found.length > limit
  return {
    ids: found.slice(0, limit).map((entry) => entry.id),
    next_cursor: goesOn ? listing.cursorAt(placeOf(last, 'after')) : null,
    total,
  }
}

async function findIds(db: Db, walk: Walk): Promise<{ found: Entry[]; total: number }> {
  const { list, place, limit } = walk
  const isAsked = list.tree !== null || list.search !== '' || list.pool !== null
  const near = isAsked && !place ? findNear(db, walk) : null
  if (near && near.length < limit) return { found: near, total: near.length }
  let total = 0
  const found = await settled(db, {
    async find() {
      const told = await idsOf(db, walk)
      total = told.total
      return told.found
    },
    // There are too many files to check every condition of the list again.
    count: (rids) => countSeen(db, list, rids),
  })
  return { found, total }
}

export const idsOf = question('overview', 'ids', (db: Db, walk: Walk) => {
  const list = seenNow(db, walk.list)
  const members = membersOf(db, list)
  return { found: walkMembers(db, { ...walk, list }, members), total: countFiles(members) }
})

export const countMembers = question('overview', 'count', (db: Db, list: Members): number =>
  countFiles(membersOf(db, seenNow(db, list))),
)
