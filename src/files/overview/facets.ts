import { seenNow } from '../../auth/seen-now.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { question } from '../../reader/question.ts'
import { foldSet } from '../companions/folding.ts'
import { withRightsOfNow } from '../find/list.ts'
import { type Members, membersOf } from '../find/members.ts'
import { countValues } from './facet-queries.ts'
import { type Pools, readPoolList } from './listing.ts'
import { type FacetQuery, type Facets, MOST_VALUES } from './schema.ts'

/**
 * Returns how many files of a list have each value of a facet, most first. Throws validation errors for the filter, and
 * not_found or forbidden for the pool.
 */
export async function readFacets(
  db: Db,
  viewer: User,
  query: FacetQuery,
  pools: Pools,
): Promise<Facets> {
  const ask = (now: User) => readPoolList(db, now, query, pools).list
  return withRightsOfNow(db, viewer, ask, ({ order: _, ...list }) =>
    facetsOf(db, { ...list, of: query.of }),
  )
}

export const facetsOf = question(
  'overview',
  'facets',
  (db: Db, asked: Members & Pick<FacetQuery, 'of'>): Facets => {
    const list = seenNow(db, asked)
    const members = membersOf(db, list)
    const shown = list.pairs ? foldSet(db, members) : members
    return { items: countValues(db, list.of, shown).slice(0, MOST_VALUES) }
  },
)
