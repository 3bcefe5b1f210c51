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
import { type Move, moveTo, pickUp, putDown, selectedIds, told } from './arranger.ts'
import { boxesIn, makeRoom } from './cells.ts'
import { gapBefore, gapUnder, type SeenGap } from './hit.ts'
import { known } from './source.ts'

/** What is held by the pointer, and where it would fall. */
export interface Held {
  x: number
  y: number
  count: number
  /** The addresses of the pictures on top. */
  pictures: string[]
  gap: SeenGap | null
  /** The number that was typed, before which it falls; empty for none. */
  typed: string
}

/** A drag from its first moment to its last. */
export interface Drag {
  /** What is shown of it; null while nothing is held. */
  held: Signal<Held | null>
  /** Picks up a file that is at a point, or all that are selected when it is one of them. */
  start(id: string, x: number, y: number): void
  moveTo(x: number, y: number): void
  /** Puts down what is held. */
  drop(): void
  /** Gives it up. */
  cancel(): void
}

/** How many pictures of what is held are seen. */
const SEEN = 3

/** Returns what carries files of a pool within the element that the grid is in. */
export function createDrag(pool: string, element: HTMLElement): Drag {
  const held = signal<Held | null>(null)
  const grid = () => element.querySelector('.grid')!
  let move: Move | null = null
  let point = { x: 0, y: 0 }
  /** What was selected before a file was picked up that wasn't. */
  let before: typeof selection.selected.value | null = null
  /** What takes files outside of the grid, such as a tag at the side. */
  let taker: Element | null = null
  let edges: ReturnType<typeof scrollAtEdges> | null = null
  let frame = 0
  /** Ends following what is drawn. */
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
    offer(null)
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
  const offer = (next: Element | null) => {
    const isTaken = next !== null && move !== null && !send(next, 'dragover', move.chosen)
    if (taker && taker !== next) send(taker, 'dragleave', new Set())
    taker = isTaken ? next : null
  }
  const cancel = () => {
    told.value = ''
    end()
  }
  const drop = () => {
    if (!move) return
    const [done, to] = [move, taker]
    if (to) send(to, 'drop', done.chosen)
    end()
    if (!to) putDown(done).catch(complain)
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
      told.value = text().held(chosen.size)
      addEventListener('keydown', onKey, { capture: true })
      // What has scrolled, or was loaded, stands below the pointer from then on.
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
      offer(isInside ? null : document.elementFromPoint(x, y))
      plan()
    },
    drop() {
      // Where the pointer is now, and not where it was at the last frame.
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

function placeOf(typed: string): number {
  return Math.max(0, Math.min(known.ids.length, Number(typed) - 1))
}

/** Returns the pictures of some of the files, that of one of them last, on top. */
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

/** Sends what the browser's own dragging would; returns false when something takes the files. */
function send(target: Element, type: string, ids: ReadonlySet<string>): boolean {
  const dataTransfer = new DataTransfer()
  dataTransfer.setData(DRAGGED, JSON.stringify([...ids]))
  return target.dispatchEvent(
    new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
  )
}
