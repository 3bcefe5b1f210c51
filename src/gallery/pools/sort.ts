import { locale } from '../base/text.ts'
import type { Pool } from '../pooling/index.ts'

/** The orders of the list of pools. */
export const LIST_ORDERS = ['created', 'name', 'size'] as const
export type ListOrder = (typeof LIST_ORDERS)[number]

/** Returns pools, given the newest first, in an order. */
export function byOrder<One extends Pick<Pool, 'name' | 'file_count'>>(
  pools: readonly One[],
  order: ListOrder,
): One[] {
  const byName = new Intl.Collator(locale.value, { numeric: true })
  if (order === 'name') return pools.toSorted((a, b) => byName.compare(a.name, b.name))
  if (order === 'size') return pools.toSorted((a, b) => b.file_count - a.file_count)
  return [...pools]
}
