import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { cursorList, type Place } from '../../db/keyset.ts'
import { foldedListing } from '../companions/folding.ts'
import { type Asked, filesListed, type ListQuery, readAsked, readList } from '../find/list.ts'
import type { Listing } from '../find/page.ts'
import type { FileList } from '../find/query.ts'

/** What the routes need of pools. */
export interface Pools {
  /** The name that cursors carry for lists in the order of a pool. */
  cursorName: string
  /** Returns a list limited to the files of a pool. Throws not_found, or forbidden without the right to view it. */
  narrow<List extends Pick<FileList, 'pool' | 'tree'>>(viewer: User, id: string, list: List): List
  /**
   * Returns the files of a pool in its own order, and the place of a cursor. Throws a validation error for the cursor,
   * and as `narrow`.
   */
  list(viewer: User, pool: { id: string; cursor: string | undefined }, asked: Asked): Opened
}

export interface Opened {
  listing: Listing
  /** The place of the query's cursor. */
  place: Place | null
  list: FileList
}

/**
 * Returns the list that a query asks for; that of a pool is in the pool's own order unless a sort, an order or a cursor
 * of another order is named. Throws validation errors for its cursor and filter, and not_found or forbidden for its
 * pool.
 */
export function openListing(
  db: Db,
  viewer: User,
  query: ListQuery & { pool?: string | undefined },
  pools: Pools,
): Opened {
  const { listing, ...opened } = openWhole(db, viewer, query, pools)
  const { list } = opened
  return { ...opened, listing: list.pairs ? foldedListing(db, list, listing) : listing }
}

function openWhole(
  db: Db,
  viewer: User,
  query: ListQuery & { pool?: string | undefined },
  pools: Pools,
): Opened {
  const { pool: id, cursor } = query
  const isSorted = query.sort !== undefined || query.order !== undefined
  const isPools = cursor === undefined || cursorList(cursor) === pools.cursorName
  if (id !== undefined && !isSorted && isPools) {
    return pools.list(viewer, { id, cursor }, readAsked(db, viewer, query))
  }
  const { list, place } = readPoolList(db, viewer, query, pools)
  return { listing: filesListed(db, list), place, list }
}

/**
 * Returns a list of files, limited to a pool if the query names one; dates are in the order of the timeline. Throws as
 * `openListing`.
 */
export function readPoolList(
  db: Db,
  viewer: User,
  query: ListQuery & { pool?: string | undefined },
  pools: Pools,
): { list: FileList; place: Place | null } {
  const sort = query.sort === 'content_datetime' ? 'timeline' : query.sort
  const { list, place } = readList(db, viewer, { ...query, sort })
  return { list: query.pool === undefined ? list : pools.narrow(viewer, query.pool, list), place }
}
