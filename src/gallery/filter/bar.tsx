import { useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { ArrowDownWideNarrow, ArrowUpNarrowWide, Ellipsis, Film, Search, X } from 'lucide'
import type { ComponentChildren, RefObject, TargetedKeyboardEvent } from 'preact'
import { useRef } from 'preact/hooks'
import { useKeys } from '../base/keys.ts'
import type { Order, Sort } from '../base/listing.ts'
import { order as usualOrder } from '../base/preferences.ts'
import { files, goToMonth } from '../grid/index.ts'
import { Combobox } from '../parts/combobox.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { listing } from '../routes.ts'
import { prepareTags } from '../tag-box/index.ts'
import { filter } from '../text/filter.ts'
import { Broken, Chips } from './chips.tsx'
import { printFilter, readFilter } from './edit.ts'
import { canKeep, changing } from './keep/search.ts'
import { apply, LineContent } from './options.tsx'
import { PanelButton } from './panel/button.tsx'
import {
  areFilmsAlone,
  clear,
  expression,
  idOfName,
  isFiltered,
  loaded,
  namedId,
  removeLast,
  setExpression,
  show,
  spoken,
  toggleFilms,
} from './state.ts'
import type { Line } from './words/index.ts'

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
function OrderMenu() {
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

/**
 * Shows the filter as a sentence of chips with a box, the number of files and the order; then
 * `children`.
 */
export function FilterBar({ children }: { children?: ComponentChildren }) {
  const said = filter()
  const words = loaded.value
  const input = useRef<HTMLInputElement>(null)
  const { text, parsed, onKey } = useFilterText(input)
  useKeys('filter', { '/': () => input.current?.focus() })
  const showText = () => {
    text.value = printFilter(expression.peek(), namedId)
    input.current?.focus()
    requestAnimationFrame(() => input.current?.select())
  }
  return (
    <>
      <div class="bar">
        <search class="filter" data-text={parsed.value !== null}>
          <Icon of={Search} />
          {!parsed.value && <Chips />}
          <Combobox<Line>
            label={said.box}
            input={input}
            text={text}
            placeholder={isFiltered.value ? '' : said.placeholder}
            prepare={prepare}
            match={(typed) => (parsed.peek() ? [] : (words?.linesOf(typed) ?? []))}
            isReady={parsed.value !== null || (words?.isReadyFor(text.value) ?? false)}
            keyOf={({ key }) => key}
            show={(line) => <LineContent {...line} />}
            onPick={apply}
            onKey={onKey}
            opensEmpty
          />
          {parsed.value && (
            <p class="meaning" role="status">
              <Broken text={text.value} parsed={parsed.value} />
            </p>
          )}
          <Tools showText={showText} />
          <PanelButton />
          <kbd class="wide">/</kbd>
        </search>
        <span class={isFiltered.value ? 'muted num found' : 'muted num wide'} role="status">
          {files.total.value !== null &&
            (areFilmsAlone.value ? said.films : said.files)(files.total.value)}
        </span>
        <OrderMenu />
        {children}
      </div>
      {changing.value && !listing.value.pool && <OnDemand load={changingAlbum} />}
    </>
  )
}

/** Loads what stands in place of the grid where nothing matches. */
export const nothingMatches = async () => (await import('./nothing.tsx')).NothingMatches
const keepSearch = async () => (await import('./keep/dialog.tsx')).KeepSearch
const changingAlbum = async () => (await import('./keep/changing.tsx')).Changing

function prepare(): void {
  prepareTags()
  spoken()?.prepareNames()
}

/** A whole month or day in digits, to which the grid jumps at once. */
const JUMP = /^\s*(\d{4}-\d\d)(-\d\d)?\s*$/

/** Returns the typed text, also parsed if it is a filter, and a function that handles its keys. */
function useFilterText(input: RefObject<HTMLInputElement | null>) {
  const text = useSignal('')
  // The text can be the filter in the API's language, to be copied, typed or pasted.
  const parsed = useComputed(() =>
    text.value.trimStart().startsWith('{') ? readFilter(text.value, idOfName) : null,
  )
  const hasMoved = useRef(false)
  useSignalEffect(() => {
    hasMoved.current = false
    const month = JUMP.exec(text.value)?.[1]
    if (month) goToMonth(month)
  })
  // Returns whether the bar handles the key, and not its list.
  const onKey = (event: TargetedKeyboardEvent<HTMLInputElement>): boolean => {
    const { key } = event
    const isEmpty = text.value === ''
    if (key.startsWith('Arrow')) hasMoved.current = true
    if (key === 'Backspace' && isEmpty) {
      // A user that holds the key to clear the text doesn't mean the chips before it.
      if (!event.repeat) removeLast()
    } else if (key === 'Escape') {
      if (isEmpty) input.current?.blur()
      text.value = ''
    } else if (key === 'Enter' && parsed.value) {
      if (parsed.value.expression === undefined) return true
      setExpression(parsed.value.expression)
      text.value = ''
      // With nothing typed, Enter alone chooses none of the suggestions.
    } else return key === 'Enter' && isEmpty && !hasMoved.current
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return { text, parsed, onKey }
}

function Tools({ showText }: { showText(): void }) {
  const words = filter()
  const isKeeping = useSignal(false)
  const open = (isOpen: boolean) => () => {
    isKeeping.value = isOpen
  }
  const keep = { text: words.keep, act: open(true) }
  const asText = { text: words.filterText, act: showText }
  return (
    <>
      {isFiltered.value && (
        <button type="button" class="tool" aria-label={words.clear} onClick={clear}>
          <Icon of={X} />
        </button>
      )}
      <button
        type="button"
        class="tool wide"
        aria-label={words.onlyFilms}
        title={words.onlyFilms}
        aria-pressed={areFilmsAlone.value}
        onClick={toggleFilms}
      >
        <Icon of={Film} />
      </button>
      <Menu label={words.menu} class="tool" items={canKeep.value ? [keep, asText] : [asText]}>
        <Icon of={Ellipsis} />
      </Menu>
      {isKeeping.value && <OnDemand load={keepSearch} onClose={open(false)} />}
    </>
  )
}
