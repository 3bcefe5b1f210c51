import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { number } from '../base/format.ts'
import { useKeys } from '../base/keys.ts'
import { BulkBar } from '../bulk/index.ts'
import { FilterBar, isFiltered, nothingMatches } from '../filter/index.ts'
import { files, Grid, refine } from '../grid/index.ts'
import { OnDemand } from '../parts/on-demand.tsx'
import { complain } from '../parts/toast.tsx'
import { type Pool, reloadPools } from '../pool-box/index.ts'
import { listing } from '../routes.ts'
import { pools as text } from '../text/pools.ts'
import { smart } from '../text/smart.ts'
import { announced, outdated } from './arrange/arranger.ts'
import { createDrag, type Drag, type Held } from './arrange/drag.ts'
import { watchGestures } from './arrange/gestures.ts'
import { createMover } from './arrange/keys.ts'
import { InPoolMenu } from './arrange/menu.tsx'
import { known, sourceByHand } from './arrange/order.ts'
import { PoolBar } from './bar.tsx'
import { PoolList } from './list.tsx'
import { SmartNote } from './smart-note.tsx'
import { type Subject, showOrder, useSubject } from './subject.ts'

refine.value = sourceByHand

/** Shows a pool: its files in its own order, or sorted otherwise. */
function PoolPage({ id, ...given }: { id: string } & PoolsProps) {
  const subject = useSubject(id)
  const pool = subject.loaded.data.value
  const error = subject.loaded.error.value
  const isGone = error !== undefined && [400, 403, 404].includes(error.status)
  useOwnOrder(pool)
  useEffect(() => {
    if (pool) document.title = `${pool.name} – Tagstead`
  }, [pool?.name])
  useEffect(() => {
    outdated.report = () => void subject.loaded.reload()
    return () => {
      outdated.report = () => {}
    }
  }, [subject])
  if (isGone) return <Gone />
  return <Shown subject={subject} pool={pool} {...given} />
}

interface ShownProps extends PoolsProps {
  subject: Subject
  /** Undefined before it is loaded, when its files may already be there. */
  pool: Pool | undefined
}

function Shown({ subject, pool, share, note, play }: ShownProps) {
  const words = text()
  const isFinding = useSignal(false)
  const { sort } = listing.value
  const mayEdit = subject.mayEdit.value
  const isByHand = !sort && pool?.sort_key === 'manual'
  const isFilterShown = isFinding.value || isFiltered.value
  const total = files.total.value
  // Whether files have left the list in which the places are counted.
  const isShorter = isByHand && total !== null && total !== known.ids.length
  useEffect(() => {
    if (isShorter) files.refresh().catch(complain)
  }, [isShorter])
  const isAsked = useRef(false)
  const find = () => {
    isFinding.value = true
    isAsked.current = true
  }
  useKeys('pools', { '/': find })
  useLayoutEffect(() => {
    if (isAsked.current) document.querySelector<HTMLElement>('.poolfilter input')?.focus()
    isAsked.current = false
  }, [isFilterShown])
  const changed = () => {
    void subject.loaded.reload()
    reloadPools()
  }
  const empty = isFiltered.value ? <OnDemand load={nothingMatches} /> : <Empty pool={pool} />
  const grid = <Grid label={pool?.name ?? words.pools} empty={empty} />
  const isArranged = isByHand && mayEdit === true
  return (
    <>
      <PoolBar
        subject={subject}
        pool={pool}
        isFinding={isFilterShown}
        find={find}
        share={pool && share?.(pool, changed)}
        play={play}
      />
      {isFilterShown && (
        <div class="poolfilter">
          <FilterBar />
        </div>
      )}
      <div class="underbar">
        {pool?.is_smart ? <SmartNote pool={pool} /> : pool && note?.(pool, changed)}
      </div>
      {isArranged ? <Arranged pool={pool.id}>{grid}</Arranged> : grid}
      <BulkBar
        extra={mayEdit && pool && <InPoolMenu pool={pool} subject={subject} isByHand={isByHand} />}
      />
    </>
  )
}

/** Shows a pool in its own order, which the address names unless it is manual. */
function useOwnOrder(pool: Pool | undefined): void {
  const last = useSignal<string | null>(null)
  useEffect(() => {
    if (!pool) return
    const { sort_key, sort_order } = pool
    const now = `${sort_key} ${sort_order}`
    const isFirst = last.peek() === null
    if (now === last.peek()) return
    last.value = now
    // An order in the address applies until the pool gets another one.
    if (isFirst && listing.peek().sort) return
    showOrder(sort_key, sort_order)
  }, [pool?.sort_key, pool?.sort_order])
}

function Empty({ pool }: { pool: Pool | undefined }) {
  const words = text()
  const hint = pool?.may_edit ? words.emptyHint : words.emptyViewed
  return (
    <div class="void">
      <h2>{pool?.is_smart ? smart().empty : words.empty}</h2>
      <p class="muted">{pool?.is_smart ? smart().emptyHint : hint}</p>
      <a class="btn" href="/">
        {words.toPhotos}
      </a>
    </div>
  )
}

function Gone() {
  const words = text()
  return (
    <div class="void">
      <h1>{words.gone}</h1>
      <p class="muted">{words.goneHint}</p>
      <a class="btn" href="/albums">
        {words.allPools}
      </a>
    </div>
  )
}

/** What other features provide to the screen. */
interface PoolsProps {
  /** Starts a slideshow of the listing. */
  play(): void
  /** A button that opens the sharing of a pool; `changed` is called after a change. */
  share?(pool: Pool, changed: () => void): ComponentChildren
  /** A note on a pool above its files. */
  note?(pool: Pool, changed: () => void): ComponentChildren
}

/** Makes the files of the grid in it sortable, by pointer and by keys. */
function Arranged({ pool, children }: { pool: string; children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null)
  const drag = useSignal<Drag | null>(null)
  const mover = useRef(createMover(pool))
  useKeys('pools', mover.current.keys)
  useLayoutEffect(() => {
    const own = createDrag(pool, element.current!)
    drag.value = own
    return watchGestures(element.current!, own)
  }, [pool])
  useEffect(() => () => mover.current.dispose(), [])
  const isHeld = drag.value?.held.value != null
  return (
    <div class={isHeld ? 'arranged holding' : 'arranged'} ref={element}>
      {children}
      {drag.value && <Carried held={drag.value.held} />}
      <p class="hidden" aria-live="assertive">
        {announced}
      </p>
    </div>
  )
}

function Carried({ held }: { held: Signal<Held | null> }) {
  if (!held.value) return null
  const { x, y, count, pictures, gap, typed } = held.value
  return (
    <>
      {gap && (
        <i
          class="slot"
          style={{ left: `${gap.x}px`, top: `${gap.top}px`, height: `${gap.bottom - gap.top}px` }}
        />
      )}
      <div class="held" style={{ left: `${x}px`, top: `${y}px` }} aria-hidden="true">
        {pictures.map((src) => (
          <img key={src} src={src} alt="" />
        ))}
        <b class="num">{number(count)}</b>
        {typed !== '' && <span class="num">→ {typed}</span>}
      </div>
    </>
  )
}

/** Shows all pools, or the one of the address. */
export function Pools(props: PoolsProps) {
  const { pool } = listing.value
  return pool ? <PoolPage key={pool} id={pool} {...props} /> : <PoolList />
}
