import { effect, type Signal, signal } from '@preact/signals'
import { mediaUrl } from '../../base/media.ts'
import {
  DRAGGED,
  files,
  scrollAtEdges,
  scroller,
  selection,
  swallowClick,
} from '../../grid/index.ts'
import { complain } from '../../parts/toast.tsx'
import { pools as text } from '../../text/pools.ts'
import { announced, type Move, moveTo, pickUp, putDown, selectedIds } from './arranger.ts'
import { boxesIn, gapBefore, gapUnder, makeRoom, type SeenGap } from './hit.ts'

import { known } from './order.ts'

/** What is being dragged, and where it would be dropped. */
export interface Held {
  x: number
  y: number
  count: number
  /** The addresses of the pictures on top. */
  pictures: string[]
  gap: SeenGap | null
  /** The typed number of the file before which it is dropped; empty for none. */
  typed: string
}

/** A drag from its beginning to its end. */
export interface Drag {
  /** The visible state of the drag; null while nothing is dragged. */
  held: Signal<Held | null>
  /** Picks up the file at a point, or the whole selection if the file is part of it. */
  start(id: string, x: number, y: number): void
  moveTo(x: number, y: number): void
  /** Drops the files. */
  drop(): void
  /** Cancels the drag. */
  cancel(): void
}

const SEEN = 3

/** Creates the drag for files of a pool within the grid's element. */
export function createDrag(pool: string, element: HTMLElement): Drag {
  const held = signal<Held | null>(null)
  const grid = () => element.querySelector('.grid')!
  let move: Move | null = null
  let point = { x: 0, y: 0 }
  // The selection before an unselected file was picked up.
  let before: typeof selection.selected.value | null = null
  const target = createTarget()
  let edges: ReturnType<typeof scrollAtEdges> | null = null
  let frame = 0
  let unfollow = () => {}

  const look = () => {
    frame = 0
    if (!move || !held.value) return
    const cells = boxesIn(grid())
    const place = held.value.typed ? placeOf(held.value.typed) : null
    const gap = place === null ? gapUnder(cells, point.x, point.y) : gapBefore(cells, place)
    makeRoom(grid(), gap)
    held.value = { ...held.value, ...point, gap }
    const next = place ?? gap?.place
    if (next !== undefined) move = moveTo(move, next)
  }
  const plan = () => {
    frame ||= requestAnimationFrame(look)
  }
  const end = () => {
    cancelAnimationFrame(frame)
    frame = 0
    edges?.stop()
    unfollow()
    makeRoom(grid(), null)
    removeEventListener('keydown', onKey, { capture: true })
    held.value = null
    move = null
    if (before) selection.replace(before)
    before = null
    target.offer(null, null)
  }
  const onKey = (event: KeyboardEvent) => {
    const { typed } = held.value ?? { typed: '' }
    const isDigit = /^\d$/.test(event.key)
    if (event.key === 'Escape') cancel()
    else if (event.key === 'Enter' && typed !== '') drop()
    else if (isDigit || event.key === 'Backspace')
      type(isDigit ? typed + event.key : typed.slice(0, -1))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const type = (typed: string) => {
    held.value = { ...held.value!, typed }
    if (typed !== '') scroller.jump(Math.min(placeOf(typed), known.ids.length - 1))
    plan()
  }
  const cancel = () => {
    announced.value = ''
    end()
  }
  const drop = () => {
    if (!move) return
    const done = move
    const isTaken = target.drop(done.chosen)
    end()
    if (!isTaken) putDown(done).catch(complain)
  }

  return {
    held,
    start(id, x, y) {
      if (!selection.has(id)) {
        before = selection.selected.peek()
        selection.set([id])
      }
      const chosen = selectedIds()
      move = pickUp(pool, chosen)
      point = { x, y }
      edges = scrollAtEdges(grid() as HTMLElement, scroller, plan)
      held.value = {
        x,
        y,
        count: chosen.size,
        pictures: picturesOf(chosen, id),
        gap: null,
        typed: '',
      }
      announced.value = text().held(chosen.size)
      addEventListener('keydown', onKey, { capture: true })
      // After scrolling or loading, other cells are below the pointer.
      unfollow = effect(() => {
        void scroller.drawn.value
        plan()
      })
    },
    moveTo(x, y) {
      if (!held.value) return
      point = { x, y }
      held.value = { ...held.value, x, y, typed: '' }
      const { left, right } = grid().getBoundingClientRect()
      const isInside = x >= left && x <= right
      if (isInside) edges?.at(y)
      else edges?.stop()
      target.offer(isInside ? null : document.elementFromPoint(x, y), move?.chosen ?? null)
      plan()
    },
    drop() {
      // The last frame may have seen the pointer elsewhere.
      if (frame) {
        cancelAnimationFrame(frame)
        look()
      }
      swallowClick(element)
      drop()
    },
    cancel,
  }
}

/** Creates the target of a drag out of the grid: an element that accepts files, such as a tag. */
function createTarget() {
  let target: Element | null = null
  return {
    offer(next: Element | null, ids: ReadonlySet<string> | null) {
      const isTaken = next !== null && ids !== null && !send(next, 'dragover', ids)
      if (target && target !== next) send(target, 'dragleave', new Set())
      target = isTaken ? next : null
    },
    /** Drops files on the target; returns whether there is one. */
    drop(ids: ReadonlySet<string>) {
      if (target) send(target, 'drop', ids)
      return target !== null
    },
  }
}

function placeOf(typed: string): number {
  return Math.max(0, Math.min(known.ids.length, Number(typed) - 1))
}

/** Returns the pictures of some of the files, that of `id` last, on top. */
function picturesOf(chosen: ReadonlySet<string>, id: string): string[] {
  const others: string[] = []
  for (const other of chosen) {
    if (others.length === SEEN - 1) break
    if (other !== id) others.push(other)
  }
  return [...others, id].flatMap((one) => {
    const position = files.positionOf(one)
    const cell = position === null ? null : files.peek(position)
    return cell ? mediaUrl(one, 'thumbnail', { v: cell.version }) : []
  })
}

/** Dispatches an event of native dragging; returns false if `target` accepts the files. */
function send(target: Element, type: string, ids: ReadonlySet<string>): boolean {
  const dataTransfer = new DataTransfer()
  dataTransfer.setData(DRAGGED, JSON.stringify([...ids]))
  return target.dispatchEvent(
    new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
  )
}
