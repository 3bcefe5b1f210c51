import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { type Density, density } from '../base/preferences.ts'
import type { Look } from './engine.ts'
import { type Geometry, type Step, stepFrom } from './geometry.ts'
import { blockAt } from './listing/blocks.ts'
import type { OpenFiles } from './listing/files.ts'
import { createScroller, type Scroller } from './scroller.ts'
import { monthAt, monthsOf } from './scrubber/months.ts'
import { follow, go, load, type State, wantThumbnails, writePlace } from './state.ts'
import { createThumbnails } from './thumbnails/thumbnails.ts'

/** The heights of rows in pixels: on wide windows, on narrow ones. */
const ROWS: Record<Density, [number, number]> = {
  dense: [120, 84],
  medium: [176, 118],
  airy: [260, 190],
}

/** The state shared by the grid's parts: where each file is, what is in view, what has the focus. */
export interface View {
  readonly files: OpenFiles
  readonly scroller: Scroller
  /** Null before the listing is loaded. */
  readonly geometry: ReadonlySignal<Geometry | null>
  readonly look: ReadonlySignal<Look | null>
  /** Pixels above the first file, for what stands there; to be set. */
  readonly lead: Signal<number>
  /** The file that has the focus, or would get it. */
  readonly focused: ReadonlySignal<string | null>
  /** Whether the view is moving. */
  readonly isMoving: ReadonlySignal<boolean>
  /** Whether a listing was drawn, and its first pictures have loaded or failed. */
  readonly wasSeen: ReadonlySignal<boolean>
  /** Shows files in an element, until the returned function is called. */
  attach(element: HTMLElement, canvas: HTMLElement): () => void
  /** Must be called when what is drawn is in the document. */
  rendered(): void
  /** Moves the focus; returns its new position, null on failure. */
  step(step: Step): Promise<number | null>
  focus(position: number): Promise<number | null>
  /** The loaded files that the tile of a position stands for, and the position of the last one. */
  tile(position: number): { ids: string[]; last: number }
  /** Goes `step` months on. */
  month(step: number): void
  /** Scrolls to a file, and focuses it with `hasFocus`. */
  show(id: string, options?: { hasFocus?: boolean }): Promise<void>
}

/** Milliseconds for which the scrubber shows the month after a movement. */
const LINGER = 1200

/** Creates the view of files. */
export function createView(files: OpenFiles): View {
  const state = createState(files)
  const { scroller, geometry, look, lead, focused, isMoving, wasSeen } = state
  return {
    files,
    scroller,
    geometry,
    look,
    lead,
    focused,
    isMoving,
    wasSeen,
    attach: (element, canvas) => attach(state, element, canvas),
    rendered() {
      wantThumbnails(state)
      giveFocus(state)
    },
    step: (where) => step(state, where),
    focus: (position) => focus(state, position),
    tile(position) {
      const [first, end] = tileOf(state, position)
      const ids = Array.from({ length: end - first }, (_, at) => files.peek(first + at)?.id ?? [])
      return { ids: ids.flat(), last: end - 1 }
    },
    month(step) {
      const months = monthsOf(files.buckets.peek() ?? [])
      const { isAtEnd } = scroller.drawn.peek()
      const place = isAtEnd ? Number.POSITIVE_INFINITY : scroller.place.peek()
      const month = months[monthAt(months, place) + step]
      if (month) scroller.jump(month.first)
    },
    async show(id, { hasFocus = false } = {}) {
      const loaded = files.positionOf(id)
      if (loaded !== null) scroller.reveal(loaded)
      const position = loaded ?? (await go(state, id))
      if (hasFocus && position !== null) await focus(state, position)
    },
  }
}

function createState(files: OpenFiles): State {
  const size: State['size'] = signal(null)
  const look = computed(() => lookOf(size.value))
  const state: State = {
    files,
    size,
    look,
    geometry: signal(null),
    lead: signal(0),
    focused: signal(null),
    isMoving: signal(false),
    wasSeen: signal(false),
    canvas: null,
    isFast: false,
    awaited: null,
    written: null,
    isGoing: false,
    thumbnails: createThumbnails({
      rowHeight: () => look.peek()?.rowHeight ?? 0,
      isIdle() {
        const hasCells = state.canvas?.querySelector('.cell')
        if (hasCells || files.total.peek() === 0) state.wasSeen.value = true
      },
    }),
    scroller: createScroller({
      fast() {
        state.isFast = true
        state.isMoving.value = true
        state.thumbnails.want([])
      },
      slow() {
        state.isFast = false
        load(state)
        wantThumbnails(state)
      },
      calm() {
        clearTimeout(state.lingering)
        state.lingering = setTimeout(() => {
          state.isMoving.value = false
        }, LINGER)
        writePlace(state)
      },
    }),
  }
  return state
}

function lookOf(size: { width: number; isNarrow: boolean } | null): Look | null {
  if (!size) return null
  const { width, isNarrow } = size
  return {
    width,
    rowHeight: ROWS[density.value][isNarrow ? 1 : 0],
    gap: isNarrow ? 3 : 4,
    heading: isNarrow ? 44 : 48,
  }
}

function attach(state: State, element: HTMLElement, canvas: HTMLElement): () => void {
  const { size, scroller, thumbnails, isMoving } = state
  state.canvas = canvas
  const measure = () => {
    const width = Math.floor(canvas.clientWidth)
    const isNarrow = matchMedia('(max-width: 760px)').matches
    const known = size.peek()
    scroller.resize()
    if (width > 0 && (known?.width !== width || known.isNarrow !== isNarrow)) {
      size.value = { width, isNarrow }
    }
  }
  const observer = new ResizeObserver(measure)
  const detach = scroller.attach(element, canvas)
  const deafen = thumbnails.listen(canvas)
  const moved = () => {
    isMoving.value = true
  }
  element.addEventListener('scroll', moved, { passive: true })
  observer.observe(element)
  measure()
  const stop = follow(state)
  return () => {
    stop()
    observer.disconnect()
    element.removeEventListener('scroll', moved)
    deafen()
    detach()
    clearTimeout(state.lingering)
    state.canvas = null
  }
}

function tileOf({ geometry }: State, position: number): [number, number] {
  return geometry.peek()?.tile(position) ?? [position, position + 1]
}

async function focus(state: State, wanted: number): Promise<number | null> {
  state.scroller.reveal(wanted)
  if (!(await state.files.at(wanted))) return null
  const [position] = tileOf(state, wanted)
  const cell = state.files.peek(position)
  if (!cell) return null
  state.scroller.reveal(position)
  state.awaited = cell.id
  state.focused.value = cell.id
  giveFocus(state)
  return position
}

function giveFocus(state: State): void {
  const { awaited, canvas } = state
  if (awaited === null) return
  const link = canvas?.querySelector<HTMLElement>(`a[data-id="${awaited}"]`)
  if (!link) return
  state.awaited = null
  link.focus({ preventScroll: true })
}

async function step(state: State, where: Step): Promise<number | null> {
  const { files, focused, canvas } = state
  const now = state.geometry.peek()
  const total = files.total.peek() ?? 0
  if (!now || total === 0) return null
  const id = focused.peek()
  const link = id && canvas?.querySelector(`a[data-id="${id}"]`)
  const from = link ? files.positionOf(id) : null
  // Focus from elsewhere begins with what is in view.
  if (from === null) return focus(state, state.scroller.place.peek())
  let next = stepFrom(now, from, where, total)
  if (next === null) {
    const { blocks } = files.shown.peek()!
    const index = blockAt(blocks.list, from) + (where === 'up' ? -1 : 1)
    await blocks.load(Math.max(0, index))
    next = stepFrom(now, from, where, total)
  }
  return next === null ? null : focus(state, next)
}
