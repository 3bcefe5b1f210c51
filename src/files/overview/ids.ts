import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { question } from '../../reader/question.ts'
import { foldEntries, listFilms, walkSet } from '../companions/folding.ts'
import { walkNow } from '../find/far.ts'
import { settled, withRightsOfNow } from '../find/list.ts'
import { countSeen } from '../find/members.ts'
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
  { limit, pairs }: FileIdsQuery,
  { listing, place, list }: Opened,
): Promise<FileIdPage> {
  const walk: Walk = { list, place, direction: 'forward', limit: limit + 1 }
  const { found, total } = await findIds(db, walk)
  const last = found[limit - 1]
  const goesOn = last !== undefined && found.length > limit
  const listed = found.slice(0, limit)
  return {
    ids: listed.map((entry) => entry.id),
    ...(pairs === '1' ? { films: listFilms(db, list, listed) } : {}),
    next_cursor: goesOn ? listing.cursorAt(placeOf(last, 'after')) : null,
    total,
  }
}

async function findIds(db: Db, walk: Walk): Promise<{ found: Entry[]; total: number }> {
  const { list, place, limit } = walk
  const isAsked = list.tree !== null || list.search !== '' || list.pool !== null
  const near = isAsked && !place ? findNear(db, walk) : null
  if (near && near.length < limit) {
    const found = list.pairs ? foldEntries(db, list, near) : near
    return { found, total: found.length }
  }
  let total = 0
  const found = await settled(db, {
    async find() {
      const all = await idsOf(db, walk)
      total = all.total
      return all.found
    },
    // There are too many files to check every condition of the list again.
    count: (rids) => countSeen(db, list, rids),
  })
  return { found, total }
}

export const idsOf = question('overview', 'ids', (db: Db, asked: Walk) =>
  walkSet(db, walkNow(db, asked)),
)
