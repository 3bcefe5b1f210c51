import { seenNow } from '../../auth/seen-now.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { question } from '../../reader/question.ts'
import { foldSet } from '../companions/folding.ts'
import { withRightsOfNow } from '../find/list.ts'
import { membersOf } from '../find/members.ts'
import type { FileList } from '../find/query.ts'
import { type Pools, readPoolList } from './listing.ts'
import { type Area, cellsOf, shownOnMap } from './map-queries.ts'
import { type FileMap, type MapQuery, MOST_MAP_CELLS } from './schema.ts'

/**
 * Returns where the files of a list were taken, by cell. Throws validation errors for the filter, and not_found or
 * forbidden for the pool.
 */
export async function readMap(
  db: Db,
  viewer: User,
  query: MapQuery,
  pools: Pools,
): Promise<FileMap> {
  const { cells: length, within = null } = query
  const ask = (now: User) => readPoolList(db, now, query, pools).list
  return withRightsOfNow(db, viewer, ask, (list) => mapOf(db, { list, length, within }))
}

export const mapOf = question(
  'overview',
  'map',
  (db: Db, { list: asked, ...area }: Area & { list: FileList }): FileMap => {
    const list = seenNow(db, asked)
    const members = membersOf(db, list)
    if (list.pairs) foldSet(db, members)
    const { cells, length } = cellsOf(db, members, { ...area, most: MOST_MAP_CELLS })
    const shown = shownOnMap(
      db,
      cells.map(({ last }) => last),
    )
    return {
      total: cells.reduce((sum, { count }) => sum + count, 0),
      length,
      cells: cells.map(({ cell }) => cell),
      counts: cells.map(({ count }) => count),
      ids: shown.map(({ id }) => id),
      v: shown.map(({ version }) => version),
      towns: shown.map(({ town }) => town),
    }
  },
)
