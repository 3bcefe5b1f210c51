import { useSignal } from '@preact/signals'
import {
  ArrowDownWideNarrow,
  ArrowUpNarrowWide,
  ChevronLeft,
  Ellipsis,
  PencilLine,
  Play,
  Search,
  Trash2,
} from 'lucide'
import type { ComponentChildren } from 'preact'
import { act, api } from '../base/api.ts'
import { files } from '../grid/index.ts'
import { Sure } from '../parts/dialog.tsx'
import { FilledBy } from '../parts/filled-by.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { NameDialog } from '../parts/name-dialog.tsx'
import { Seg } from '../parts/seg.tsx'
import { complain, toast } from '../parts/toast.tsx'
import { type Pool, reloadPools } from '../pool-box/index.ts'
import { go, listing } from '../routes.ts'
import { pools as text } from '../text/pools.ts'
import { AlbumHead } from './head.tsx'
import { type PoolSort, type Subject, showOrder } from './subject.ts'

interface PoolBarProps {
  subject: Subject
  pool: Pool | undefined
  isFinding: boolean
  find(): void
  share: ComponentChildren
  play(): void
}

/** Shows what an album is, its order, and the actions for all of it. */
export function PoolBar({ subject, pool, isFinding, find, share, play }: PoolBarProps) {
  const words = text()
  const total = files.total.value
  return (
    <div class="bar poolbar">
      <a class="btn icononly quiet" href="/albums" aria-label={words.allPools}>
        <Icon of={ChevronLeft} />
      </a>
      {pool ? <AlbumHead subject={subject} pool={pool} /> : <span class="album" />}
      {pool && <OrderOf pool={pool} subject={subject} />}
      {!isFinding && (
        <button
          type="button"
          class="btn icononly quiet wide"
          aria-label={words.filter}
          title={words.filter}
          onClick={find}
        >
          <Icon of={Search} />
        </button>
      )}
      {share}
      {total !== null && total > 0 && (
        <button type="button" class="btn primary" aria-label={words.slideshow} onClick={play}>
          <Icon of={Play} />
          <span class="label-wide">{words.slideshow}</span>
        </button>
      )}
      {pool && <More pool={pool} subject={subject} find={find} />}
    </div>
  )
}

interface OfPool {
  pool: Pool
  subject: Subject
}

/** An editor changes the pool's order for all; other users change only their own view. */
function OrderOf({ pool, subject }: OfPool) {
  const words = text()
  const { sort, order = pool.sort_order } = listing.value
  const shown = (sort ?? pool.sort_key) as PoolSort
  const mayEdit = subject.mayEdit.value
  const set = async (sort_key: PoolSort, sort_order: 'asc' | 'desc') => {
    showOrder(sort_key, sort_order)
    const isOwn = pool.sort_key === sort_key && pool.sort_order === sort_order
    if (!mayEdit || isOwn) return
    const isDone = await subject.change({ sort_key, sort_order })
    if (!isDone) showOrder(pool.sort_key, pool.sort_order)
  }
  const { manual, ...others } = words.orders
  const hasManual = !pool.is_smart && (mayEdit || pool.sort_key === 'manual')
  return (
    <div class="order">
      <Seg
        label={words.order}
        value={shown}
        options={hasManual ? { manual, ...others } : others}
        onChange={(next) => void set(next, pool.sort_order)}
      />
      {shown !== 'manual' && (
        <button
          type="button"
          class="btn icononly quiet"
          aria-label={words.turn(words.orders[shown])}
          title={words.turn(words.orders[shown])}
          onClick={() => void set(shown, order === 'asc' ? 'desc' : 'asc')}
        >
          <Icon of={order === 'asc' ? ArrowUpNarrowWide : ArrowDownWideNarrow} />
        </button>
      )}
    </div>
  )
}

function More({ pool, subject, find }: OfPool & { find(): void }) {
  const words = text()
  const asked = useSignal<'name' | 'deletion' | null>(null)
  const ask = (what: 'name' | 'deletion') => () => {
    asked.value = what
    // The number of files may have changed since it was loaded.
    if (what === 'deletion') void subject.loaded.reload()
  }
  const close = () => {
    asked.value = null
  }
  const edits = subject.mayEdit.value
    ? [
        { text: words.edit, icon: PencilLine, act: ask('name') },
        { text: words.delete, icon: Trash2, act: ask('deletion'), isBad: true },
      ]
    : []
  return (
    <>
      <Menu label={words.more} items={[{ text: words.filter, icon: Search, act: find }, ...edits]}>
        <Icon of={Ellipsis} />
      </Menu>
      {asked.value === 'name' && (
        <NameDialog
          title={words.edit}
          action={words.save}
          name={pool.name}
          notes={pool.notes ?? ''}
          onName={async (name, notes) => {
            if (await subject.change({ name, notes: notes.trim() || null })) close()
          }}
          onClose={close}
        />
      )}
      {asked.value === 'deletion' && <DeletePool pool={pool} subject={subject} onClose={close} />}
    </>
  )
}

function DeletePool({ pool, subject, onClose }: OfPool & { onClose(): void }) {
  const words = text()
  const remove = async () => {
    onClose()
    try {
      const params = { path: { pool_id: pool.id } }
      const { operation } = await act(api.DELETE('/api/v1/pools/{pool_id}', { params }))
      toast({ text: words.deleted(pool.name), operation })
      reloadPools()
      go('/albums')
    } catch (error) {
      complain(error)
    }
  }
  return (
    <Sure
      title={words.deleteTitle(pool.name)}
      text={
        <>
          {subject.loaded.isLoading.value ? '…' : words.deleteHint(pool.file_count)}
          <FilledBy token={`p=${pool.id}`} />
        </>
      }
      act={words.delete}
      onClose={onClose}
      onSure={() => void remove()}
    />
  )
}
