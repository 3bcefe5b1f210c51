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

/** The order of what is shown. That of dates is kept for the next visit. */
export function OrderMenu() {
  const words = filter()
  const { sort, order } = listing.value
  const orders = words.orders[sort]
  const turn = (next: Order) => {
    if (sort === 'content_datetime') usualOrder.value = next
    show({ order: next })
  }
  return (
    <Menu
      label={words.sortedBy(words.sorts[sort], orders[order])}
      class="btn icononly quiet wide"
      items={[
        ...SORTS.map((one) => ({
          text: words.sorts[one],
          isChosen: one === sort,
          act: () => show({ sort: one, order: one === 'original_name' ? 'asc' : 'desc' }),
        })),
        ...ORDERS.map((one, place) => ({
          text: orders[one],
          isApart: place === 0,
          isChosen: one === order,
          act: () => turn(one),
        })),
      ]}
    >
      <Icon of={order === 'desc' ? ArrowDownWideNarrow : ArrowUpNarrowWide} />
    </Menu>
  )
}
