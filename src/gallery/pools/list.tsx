import { type Signal, useComputed, useSignal } from '@preact/signals'
import { ArrowDownWideNarrow, Plus, Search } from 'lucide'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useKeys } from '../base/keys.ts'
import { stored } from '../base/preferences.ts'
import { mayCreate } from '../base/session.ts'
import { remember } from '../base/undo/undo.ts'
import { Failure } from '../grid/index.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { NameDialog } from '../parts/name-dialog.tsx'
import { Seg } from '../parts/seg.tsx'
import { useView } from '../parts/view.ts'
import {
  arePoolsLoaded,
  createPool,
  type Pool,
  pools,
  poolsError,
  reloadPools,
} from '../pool-box/index.ts'
import { go } from '../routes.ts'
import { findTags, indexTags } from '../tag-box/match.ts'
import { pools as text } from '../text/pools.ts'
import { byOrder, cardsBetween, LIST_ORDERS, type ListOrder, type Rows } from './cards.ts'
import { PoolCard } from './cover.tsx'

const order = stored<ListOrder>('pool-order', (text) =>
  LIST_ORDERS.includes(text as ListOrder) ? (text as ListOrder) : 'created',
)

/** Shows all pools with their covers, with a search by name and an order. */
export function PoolList() {
  const words = text()
  const typed = useSignal('')
  const isMaking = useSignal(false)
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The counts don't include changes made on another screen.
    if (arePoolsLoaded.peek()) reloadPools()
  }, [])
  const index = useComputed(() => indexTags(pools.value, () => 0))
  const shown = useComputed(() => {
    const wanted = typed.value.trim()
    if (wanted === '') return byOrder(pools.value, order.value)
    return findTags(index.value, wanted, pools.value.length).map(({ tag }) => tag)
  }).value
  const count = pools.value.length
  const isLost = poolsError.value && !arePoolsLoaded.value
  return (
    <>
      <ListBar
        typed={typed}
        first={shown[0]}
        make={() => {
          isMaking.value = true
        }}
      />
      {isLost && <Failure error={poolsError.value!} retry={reloadPools} />}
      {arePoolsLoaded.value && count === 0 && (
        <div class="void">
          <h2>{words.noPools}</h2>
          <p class="muted">{words.noPoolsHint}</p>
        </div>
      )}
      {count > 0 && (
        <div class="page" ref={page}>
          {shown.length === 0 && <p class="void muted">{words.noneFound}</p>}
          <Shelf pools={shown} box={page} />
        </div>
      )}
      {isMaking.value && (
        <NameDialog
          title={words.make}
          action={words.makeIt}
          onName={async (name) => {
            const { pool, operation } = await createPool(name)
            if (operation) remember(operation)
            go(`/albums/${pool.id}`)
          }}
          onClose={() => {
            isMaking.value = false
          }}
        />
      )}
    </>
  )
}

interface ListBarProps {
  typed: Signal<string>
  /** The first pool that is found. */
  first: Pool | undefined
  make(): void
}

function ListBar({ typed, first, make }: ListBarProps) {
  const words = text()
  const isFinding = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const find = () => {
    isFinding.value = true
    // At once, so that no key that follows is lost; on phones it is hidden until then.
    bar.current!.classList.add('finding')
    input.current?.focus()
  }
  const close = () => {
    typed.value = ''
    isFinding.value = false
    input.current?.blur()
  }
  useKeys('pools', { '/': find })
  const count = pools.value.length
  return (
    <div ref={bar} class={isFinding.value ? 'bar finding' : 'bar'}>
      <h1>{words.pools}</h1>
      {count > 0 && <SearchBox input={input} typed={typed} first={first} close={close} />}
      <span class="rest" />
      {count > 0 && (
        <>
          <button
            type="button"
            class="btn icononly quiet narrow"
            aria-label={words.findLabel}
            onClick={find}
          >
            <Icon of={Search} />
          </button>
          <OrderChoice />
        </>
      )}
      {mayCreate() && (
        <button type="button" class="btn primary" aria-label={words.make} onClick={make}>
          <Icon of={Plus} />
          <span class="label-wide">{words.make}</span>
        </button>
      )}
    </div>
  )
}

interface SearchBoxProps extends Pick<ListBarProps, 'typed' | 'first'> {
  input: RefObject<HTMLInputElement | null>
  close(): void
}

function SearchBox({ input, typed, first, close }: SearchBoxProps) {
  const words = text()
  return (
    <search class="input find">
      <Icon of={Search} />
      <input
        ref={input}
        type="text"
        aria-label={words.findLabel}
        placeholder={words.find(pools.value.length)}
        value={typed}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && first) go(`/albums/${first.id}`)
          if (event.key !== 'Escape') return
          event.preventDefault()
          close()
        }}
      />
      <kbd>/</kbd>
    </search>
  )
}

function OrderChoice() {
  const words = text()
  const choose = (one: ListOrder) => {
    order.value = one
  }
  return (
    <>
      <div class="wide">
        <Seg label={words.order} value={order.value} options={words.listOrders} onChange={choose} />
      </div>
      <Menu
        label={`${words.order}: ${words.listOrders[order.value]}`}
        class="btn icononly quiet narrow"
        items={LIST_ORDERS.map((one) => ({
          text: words.listOrders[one],
          isChosen: one === order.value,
          act: () => choose(one),
        }))}
      >
        <Icon of={ArrowDownWideNarrow} />
      </Menu>
    </>
  )
}

/** Pixels drawn above and below the visible part. */
const MARGIN = 400
/** How many pools are drawn before the available room is measured. */
const FIRST = 60

interface ShelfProps {
  pools: readonly Pool[]
  box: RefObject<HTMLElement | null>
}

function Shelf({ pools, box }: ShelfProps) {
  const list = useRef<HTMLUListElement>(null)
  const rows = useSignal<Rows | null>(null)
  const { top, width, height } = useView(box).value
  useLayoutEffect(() => {
    const card = list.current!.firstElementChild
    if (!card) return
    const { gridTemplateColumns, rowGap } = getComputedStyle(list.current!)
    rows.value = {
      columns: gridTemplateColumns.split(' ').length,
      pitch: card.getBoundingClientRect().height + Number.parseFloat(rowGap),
    }
  }, [width, pools.length === 0])
  const { first, end, above, below } = rows.value
    ? cardsBetween(pools.length, rows.value, top - MARGIN, top + height + MARGIN)
    : { first: 0, end: FIRST, above: 0, below: 0 }
  return (
    <ul ref={list} class="pools" style={{ marginTop: `${above}px`, marginBottom: `${below}px` }}>
      {pools.slice(first, end).map((pool) => (
        <PoolCard key={pool.id} pool={pool} />
      ))}
    </ul>
  )
}
