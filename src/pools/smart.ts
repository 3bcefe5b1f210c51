import { AppError } from '../base/errors.ts'
import { storedFilter } from '../base/filter-tokens.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import type { Tx } from '../db/write.ts'
import { readFilter } from '../files/find/list.ts'
import { countInPools, listPools, type PoolRecord } from './queries.ts'

/** What makes a pool one that fills itself, and what that excludes. */
type Filling = Pick<PoolRecord, 'filter' | 'sort_key' | 'shares_files'>

/**
 * Returns a pool as it is about to be written, its filter as it is stored; `before` is what it was, null for a new one.
 * Throws a validation error for a filter that isn't right or names a pool that fills itself, and conflict where the
 * pool can't have a filter: for manual order, with shared files, with files in it, and if another filter names it that
 * the user may read.
 */
export function fitFilter<Fields extends Filling>(
  tx: Tx,
  user: User,
  before: Pick<PoolRecord, 'rid' | 'id' | 'filter'> | null,
  pool: Fields,
): Fields {
  if (pool.filter === null) return pool
  const isNew = pool.filter !== before?.filter
  if (isNew) readFilter(tx, user, pool.filter)
  if (pool.sort_key === 'manual') throw conflict('it is sorted automatically')
  if (pool.shares_files) throw conflict('it shares no files: each sees their own part')
  if (before && before.filter === null) {
    if (countInPools(tx, [before.rid], 1) > 0) throw conflict('it must be empty before')
    requireUnnamed(tx, user, before.id)
  }
  return isNew ? { ...pool, filter: storedFilter(pool.filter) } : pool
}

/**
 * Throws conflict for a pool that a filter names which the user may read: it can't fill itself. Other filters may name
 * it and find nothing by it.
 */
export function requireUnnamed(db: Db, user: User, id: string): void {
  const first = { sort: 'created', order: 'asc', offset: 0, limit: 1 } as const
  const { total } = listPools(db, user, { names: `p=${id}`, ...first })
  if (total > 0) throw conflict('the filter of another one names it')
}

/** Throws conflict for a pool that fills itself. */
export function requireByHand({ filter }: Pick<PoolRecord, 'filter'>): void {
  if (filter !== null) throw conflict('its files are those that match its filter')
}

function conflict(reason: string): AppError {
  return new AppError('conflict', `This album fills itself: ${reason}`)
}
