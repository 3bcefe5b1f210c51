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

interface State {
  pool: string
  element: HTMLElement
  held: Signal<Held | null>
  move: Move | null
  point: { x: number; y: number }
  /** The selection before an unselected file was picked up. */
  before: typeof selection.selected.value | null
  target: Target
  edges: ReturnType<typeof scrollAtEdges> | null
  /** The animation frame that is requested; 0 for none. */
  frame: number
  unfollow(): void
  onKey(event: KeyboardEvent): void
}

/** Creates the drag for files of a pool within the grid's element. */
export function createDrag(pool: string, element: HTMLElement): Drag {
  const state: State = {
    pool,
    element,
    held: signal(null),
    move: null,
    point: { x: 0, y: 0 },
    before: null,
    target: createTarget(),
    edges: null,
    frame: 0,
    unfollow() {},
    onKey: (event) => handleKey(state, event),
  }
  return {
    held: state.held,
    start: (id, x, y) => start(state, id, { x, y }),
    moveTo: (x, y) => follow(state, { x, y }),
    drop() {
      // The last frame may have seen the pointer elsewhere.
      if (state.frame) {
        cancelAnimationFrame(state.frame)
        look(state)
      }
      swallowClick(element)
      drop(state)
    },
    cancel: () => cancel(state),
  }
}

const gridOf = ({ element }: State) => element.querySelector<HTMLElement>('.grid')!

function start(state: State, id: string, point: State['point']): void {
  if (!selection.has(id)) {
    state.before = selection.selected.peek()
    selection.set([id])
  }
  const chosen = selectedIds()
  const plan = () => planLook(state)
  state.move = pickUp(state.pool, chosen)
  state.point = point
  state.edges = scrollAtEdges(gridOf(state), scroller, plan)
  state.held.value = {
    ...point,
    count: chosen.size,
    pictures: picturesOf(chosen, id),
    gap: null,
    typed: '',
  }
  announced.value = text().held(chosen.size)
  addEventListener('keydown', state.onKey, { capture: true })
  // After scrolling or loading, other cells are below the pointer.
  state.unfollow = effect(() => {
    void scroller.drawn.value
    plan()
  })
}

function follow(state: State, point: State['point']): void {
  const { held, edges, target, move } = state
  if (!held.value) return
  const { x, y } = point
  state.point = point
  held.value = { ...held.value, x, y, typed: '' }
  const { left, right } = gridOf(state).getBoundingClientRect()
  const isInside = x >= left && x <= right
  if (isInside) edges?.at(y)
  else edges?.stop()
  target.offer(isInside ? null : document.elementFromPoint(x, y), move?.chosen ?? null)
  planLook(state)
}

function planLook(state: State): void {
  state.frame ||= requestAnimationFrame(() => look(state))
}

/** Shows the gap under the pointer, or before the typed place. */
function look(state: State): void {
  const { held, move, point } = state
  state.frame = 0
  if (!move || !held.value) return
  const grid = gridOf(state)
  const cells = boxesIn(grid)
  const place = held.value.typed ? placeOf(held.value.typed) : null
  const gap = place === null ? gapUnder(cells, point.x, point.y) : gapBefore(cells, place)
  makeRoom(grid, gap)
  held.value = { ...held.value, ...point, gap }
  const next = place ?? gap?.place
  if (next !== undefined) state.move = moveTo(move, next)
}

function handleKey(state: State, event: KeyboardEvent): void {
  const { typed } = state.held.value ?? { typed: '' }
  const isDigit = /^\d$/.test(event.key)
  if (event.key === 'Escape') cancel(state)
  else if (event.key === 'Enter' && typed !== '') drop(state)
  else if (isDigit || event.key === 'Backspace')
    type(state, isDigit ? typed + event.key : typed.slice(0, -1))
  else return
  event.preventDefault()
  event.stopPropagation()
}

function type(state: State, typed: string): void {
  state.held.value = { ...state.held.value!, typed }
  if (typed !== '') scroller.jump(Math.min(placeOf(typed), known.ids.length - 1))
  planLook(state)
}

function drop(state: State): void {
  const { move } = state
  if (!move) return
  const isTaken = state.target.drop(move.chosen)
  end(state)
  if (!isTaken) putDown(move).catch(complain)
}

function cancel(state: State): void {
  announced.value = ''
  end(state)
}

function end(state: State): void {
  cancelAnimationFrame(state.frame)
  state.frame = 0
  state.edges?.stop()
  state.unfollow()
  makeRoom(gridOf(state), null)
  removeEventListener('keydown', state.onKey, { capture: true })
  state.held.value = null
  state.move = null
  if (state.before) selection.replace(state.before)
  state.before = null
  state.target.offer(null, null)
}

type Target = ReturnType<typeof createTarget>

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
