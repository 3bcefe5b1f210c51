import { ArrowDownWideNarrow, ArrowUpNarrowWide } from 'lucide'
import type { Order, Sort } from '../base/listing.ts'
import { order as usualOrder } from '../base/settings/preferences.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { listing } from '../routes.ts'
import { filter } from '../text/filter.ts'
import { show } from './state.ts'

const SORTS: Sort[] = ['content_datetime', 'created', 'original_name', 'mime']
const ORDERS: Order[] = ['desc', 'asc']

interface OrderChoice {
  text: string
  isChosen: boolean
  act(): void
}

/**
 * Returns the sorts, and the orders of the chosen one. The order of dates is stored as a preference.
 */
export function orderChoices(): OrderChoice[][] {
  const words = filter()
  const { sort, order } = listing.value
  if (!sort || !order) return []
  const turn = (next: Order) => {
    if (sort === 'content_datetime') usualOrder.value = next
    show({ order: next })
  }
  return [
    SORTS.map((one) => ({
      text: words.sorts[one],
      isChosen: one === sort,
      act: () => show({ sort: one, order: one === 'original_name' ? 'asc' : 'desc' }),
    })),
    ORDERS.map((one) => ({
      text: words.orders[sort][one],
      isChosen: one === order,
      act: () => turn(one),
    })),
  ]
}

/** Shows the order as a button of the bar; a pool shows its own elsewhere. */
export function OrderMenu() {
  const words = filter()
  const { sort, order, pool } = listing.value
  if (!sort || !order || pool) return null
  return (
    <Menu
      label={words.sortedBy(words.sorts[sort], words.orders[sort][order])}
      class="btn icononly quiet wide"
      items={orderChoices().flatMap((group, at) =>
        group.map((one, place) => ({ ...one, isApart: at > 0 && place === 0 })),
      )}
    >
      <Icon of={order === 'desc' ? ArrowDownWideNarrow : ArrowUpNarrowWide} />
    </Menu>
  )
}
