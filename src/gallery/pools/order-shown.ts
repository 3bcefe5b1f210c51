import { replace } from '../routes.ts'
import type { PoolSort } from './subject.ts'

/** Shows the files of the pool of the address in an order, whatever its own is. */
export function showOrder(sort: PoolSort, order: 'asc' | 'desc'): void {
  // The address doesn't mention the manual order.
  const next = sort === 'manual' ? { sort: undefined, order: undefined } : { sort, order }
  replace({ listing: next, at: null })
}
