import { ArrowDownWideNarrow, ArrowUpNarrowWide } from 'lucide'
import type { Order, Sort } from '../base/listing.ts'
import { order as usualOrder } from '../base/settings/preferences.ts'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { listing } from '../routes.ts'
import { filter } from '../text/filter.ts'
import { show } from './state.ts'

const SORTS: Sort[] = ['content_datetime', 'created', 'original_name', 'mime']
const ORDERS: Order[] = ['desc', 'asc']

/** Each way to sort, then both orders of the one that is chosen. That of dates is kept for the next visit. */
function choices(): (MenuItem & { isChosen: boolean; act(): void })[] {
  const words = filter()
  const { sort, order } = listing.value
  const turn = (next: Order) => {
    if (sort === 'content_datetime') usualOrder.value = next
    show({ order: next })
  }
  return [
    ...SORTS.map((one) => ({
      text: words.sorts[one],
      isChosen: one === sort,
      act: () => show({ sort: one, order: one === 'original_name' ? 'asc' : 'desc' }),
    })),
    ...ORDERS.map((one, place) => ({
      text: words.orders[sort][one],
      isApart: place === 0,
      isChosen: one === order,
      act: () => turn(one),
    })),
  ]
}

/** The order of what is shown, as a button of the bar. */
export function OrderMenu() {
  const words = filter()
  const { sort, order } = listing.value
  return (
    <Menu
      label={words.sortedBy(words.sorts[sort], words.orders[sort][order])}
      class="btn icononly quiet wide"
      items={choices()}
    >
      <Icon of={order === 'desc' ? ArrowDownWideNarrow : ArrowUpNarrowWide} />
    </Menu>
  )
}

/** The same for phones, whose bar has no room for it. */
export function OrderDialog({ onClose }: { onClose(): void }) {
  const words = filter()
  const all = choices()
  return (
    <Dialog title={words.order} onClose={onClose}>
      {[all.slice(0, SORTS.length), all.slice(SORTS.length)].map((group, place) => (
        <fieldset key={place}>
          <legend class="hidden">{words.order}</legend>
          {group.map(({ text, isChosen, act }) => (
            <label class="line" key={text}>
              <input type="radio" name={`order ${place}`} checked={isChosen} onChange={act} />
              <span class="rest">{text}</span>
            </label>
          ))}
        </fieldset>
      ))}
    </Dialog>
  )
}
