import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useView } from '../parts/view.ts'
import type { Pool } from '../pooling/index.ts'
import { cardsBetween, type Rows } from './cards.ts'
import { PoolCard } from './cover.tsx'

/** Pixels drawn above and below what is seen. */
const MARGIN = 400
/** How many pools are drawn before it is known how many there is room for. */
const FIRST = 60

interface ShelfProps {
  pools: readonly Pool[]
  /** What scrolls. */
  box: RefObject<HTMLElement | null>
}

/** Pools by rows, of which those are drawn that are seen. */
export function Shelf({ pools, box }: ShelfProps) {
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
