import { locale } from '../base/text.ts'
import type { Pool } from '../pool-box/index.ts'

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

/** The number of cards in a row, and the pixels from one row to the next. */
export interface Rows {
  columns: number
  pitch: number
}

/** The range of cards that are drawn, and the pixels of the rows before and after them. */
interface Drawn {
  first: number
  end: number
  above: number
  below: number
}

/** Returns which of `count` cards are between two heights, in whole rows. */
export function cardsBetween(
  count: number,
  { columns, pitch }: Rows,
  from: number,
  to: number,
): Drawn {
  const all = Math.ceil(count / columns)
  const first = Math.min(all, Math.max(0, Math.floor(from / pitch)))
  const end = Math.min(all, Math.max(first, Math.ceil(to / pitch)))
  return {
    first: first * columns,
    end: Math.min(count, end * columns),
    above: first * pitch,
    below: (all - end) * pitch,
  }
}
