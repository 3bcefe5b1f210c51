import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { type Box, placeBox } from './engine.ts'
import type { Anchor, Geometry, VisibleBlock } from './geometry.ts'

/** What is drawn: blocks in and near the view, and the box that contains them. */
export interface Drawn {
  blocks: VisibleBlock[]
  /** Subtracted from the `y` of a block to get its place in the box. */
  base: number
  /** Whether nothing is left below the view. */
  isAtEnd: boolean
}

/** The element that scrolls over a listing that may be higher than any element can be. */
export interface Scroller {
  readonly drawn: ReadonlySignal<Drawn>
  /** The position of the first file in view. */
  readonly place: ReadonlySignal<number>
  /** Scrolls an element that contains a canvas, until the returned function is called. */
  attach(element: HTMLElement, canvas: HTMLElement): () => void
  /** Shows a geometry from an anchor on. */
  show(geometry: Geometry, anchor: Anchor): void
  /** Runs `apply`, which changes heights, and keeps what is in view in place. */
  change(apply: () => void): void
  anchor(): Anchor
  /** Scrolls to the row of a file. */
  jump(position: number): void
  /** Scrolls only as far as needed to show the row of a file. */
  reveal(position: number): void
  /** Whether the row of a file is at least partly in view; false for null. */
  shows(position: number | null): boolean
  /** Scrolls by pixels. */
  move(by: number): void
  /** The part of the listing that is in view, in pixels. */
  view(): { y: number; height: number }
  /** Redraws for a new height of the view. */
  resize(): void
}

/** Pixels that are drawn above and below the view. */
const AROUND = 500
/** Pixels scrolled before redrawing: during a movement, and once it has stopped. */
const [STEP, ANY] = [120, 0.01]
/** Pixels below the last row, for the floating bar. */
const END = 96
/** Pixels left free below a file that is scrolled into view. */
const REVEALED = 80

interface Wishes {
  /** Called after drawing, if the view moves slowly enough to load. */
  slow(): void
  /** Called when the view has become too fast for loading. */
  fast(): void
  calm(): void
}

interface State {
  wishes: Wishes
  drawn: Signal<Drawn>
  place: Signal<number>
  pace: Pace
  element: HTMLElement | null
  canvas: HTMLElement | null
  geometry: Geometry | null
  box: Box
  y: number
  /** Where the view was when it was drawn last. */
  drawnAt: number
  lastMove: number
  wasFast: boolean
  /** Whether something was drawn since the last call of `slow`. */
  hasNews: boolean
  viewHeight: number
  /**
   * The file that was jumped to, until the user scrolls: what loads around it must not move it away.
   */
  target: number | null
  timer?: ReturnType<typeof setTimeout> | undefined
}

/** Creates a scroller without an element. */
export function createScroller(wishes: Wishes): Scroller {
  const state: State = {
    wishes,
    drawn: signal({ blocks: [], base: 0, isAtEnd: false }),
    place: signal(0),
    pace: createPace(),
    element: null,
    canvas: null,
    geometry: null,
    box: { height: 0, base: 0 },
    y: 0,
    drawnAt: Number.NaN,
    lastMove: 0,
    wasFast: false,
    hasNews: false,
    viewHeight: 0,
    target: null,
  }
  return {
    drawn: state.drawn,
    place: state.place,
    attach: (element, canvas) => attach(state, element, canvas),
    show: (geometry, anchor) => show(state, geometry, anchor),
    change: (apply) => change(state, apply),
    anchor: () => state.geometry?.anchorAt(state.y) ?? { position: 0, below: 0 },
    jump(position) {
      if (!state.geometry) return
      go(state, yOfJump(state, position), position)
    },
    reveal: (position) => reveal(state, position),
    shows: (position) => shows(state, position),
    move: (by) => go(state, state.y + by),
    view: () => ({ y: state.y, height: state.viewHeight }),
    resize: () => resize(state),
  }
}

function attach(state: State, element: HTMLElement, canvas: HTMLElement): () => void {
  const scrolled = () => onScroll(state)
  state.element = element
  state.canvas = canvas
  state.viewHeight = element.clientHeight
  element.addEventListener('scroll', scrolled, { passive: true })
  return () => {
    element.removeEventListener('scroll', scrolled)
    clearTimeout(state.timer)
    state.timer = undefined
    state.element = null
    state.canvas = null
  }
}

function show(state: State, geometry: Geometry, anchor: Anchor): void {
  state.geometry = geometry
  state.target = null
  state.y = geometry.yOfAnchor(anchor)
  state.box = { height: 0, base: state.y - (state.element?.scrollTop ?? 0) }
  settle(state, true)
  draw(state, 0)
  wish(state)
}

// The browser may have moved on since it last told: what is set then would end a smooth movement.
function catchUp(state: State): void {
  const { element } = state
  // What is not shown has no place of its own.
  if (!element?.clientHeight) return
  const now = element.scrollTop + state.box.base
  if (Math.abs(now - state.y) < 1) return
  state.target = null
  state.y = now
  state.lastMove = performance.now()
}

function change(state: State, apply: () => void): void {
  catchUp(state)
  const anchor = state.geometry?.anchorAt(state.y)
  apply()
  const { geometry, box, target, y } = state
  if (!geometry || !anchor) return
  const moved = (target === null ? geometry.yOfAnchor(anchor) : yOfJump(state, target)) - y
  // Moves the base, not the scroll position: nothing flickers, and momentum is retained.
  state.box = { ...box, base: box.base + moved }
  state.y += moved
  settle(state, false)
  draw(state, 0)
  wish(state)
  waitForCalm(state)
}

function reveal(state: State, position: number): void {
  const { geometry, y, viewHeight } = state
  if (!geometry) return
  const top = geometry.yOf(position)
  const row = geometry.rowOf(position)
  const end = row ? row.y + row.row.height : top
  const margin = Math.max(0, Math.min(REVEALED, (viewHeight - (end - top)) / 2))
  if (top < y) go(state, top)
  else if (end + margin > y + viewHeight) go(state, end + margin - viewHeight)
}

function shows({ geometry, y, viewHeight }: State, position: number | null): boolean {
  const found = position === null ? null : geometry?.rowOf(position)
  return Boolean(found && found.y < y + viewHeight && found.y + found.row.height > y)
}

function resize(state: State): void {
  const height = state.element?.clientHeight ?? 0
  if (height === state.viewHeight) return
  state.viewHeight = height
  settle(state, true)
  draw(state, 0)
  wish(state)
  waitForCalm(state)
}

function totalOf({ geometry }: State): number {
  const height = geometry?.height() ?? 0
  return height && height + END
}

// Returns the position of the view that shows a file as high up as possible.
function yOfJump(state: State, position: number): number {
  // With what stands above all files.
  if (position === 0) return 0
  const lowest = totalOf(state) - state.viewHeight
  return Math.max(0, Math.min(lowest, state.geometry?.yOf(position) ?? 0))
}

function settle(state: State, isCalm: boolean): void {
  const { element, canvas, box, viewHeight: view } = state
  if (!element || !canvas) return
  const total = totalOf(state)
  state.y = Math.max(0, Math.min(total - view, state.y))
  const next = placeBox(box, { y: state.y, total, view, isCalm })
  if (next.height !== box.height) canvas.style.height = `${next.height}px`
  state.box = next
  const top = state.y - next.base
  // The browser rounds the value to device pixels.
  if (Math.abs(element.scrollTop - top) >= 1) element.scrollTop = top
}

// Draws what is in view, unless it has moved by less than `least` pixels since the last drawing.
function draw(state: State, least: number): void {
  const { geometry, y, box, drawn, viewHeight, target } = state
  if (!geometry) return
  if (Math.abs(y - state.drawnAt) < least && drawn.peek().base === box.base) return
  state.drawnAt = y
  const end = y + viewHeight + AROUND
  const isAtEnd = y > 0 && y + viewHeight >= totalOf(state) - 1
  drawn.value = { blocks: geometry.visible(y - AROUND, end), base: box.base, isAtEnd }
  const { position } = geometry.anchorAt(y)
  // A file that was jumped to may stand in the middle of the first row, after files of another month.
  const isInRow = target !== null && geometry.yOf(target) === geometry.yOf(position)
  state.place.value = isInRow ? target : position
  state.hasNews = true
}

function wish(state: State): void {
  const { wishes, wasFast } = state
  const isFast = state.pace.isFast(performance.now())
  if (isFast && !wasFast) wishes.fast()
  if (!isFast && (wasFast || state.hasNews)) wishes.slow()
  state.wasFast = isFast
  state.hasNews = false
}

function waitForCalm(state: State): void {
  state.timer ??= setTimeout(function look() {
    catchUp(state)
    const left = CALM - (performance.now() - state.lastMove)
    if (left > 0) {
      state.timer = setTimeout(look, left)
      return
    }
    state.timer = undefined
    settle(state, true)
    draw(state, ANY)
    wish(state)
    state.wishes.calm()
  }, CALM)
}

function onScroll(state: State): void {
  catchUp(state)
  state.lastMove = performance.now()
  state.pace.moved(state.y, state.lastMove)
  settle(state, false)
  draw(state, STEP)
  wish(state)
  waitForCalm(state)
}

function go(state: State, to: number, target: number | null = null): void {
  state.y = to
  state.target = target
  settle(state, false)
  draw(state, 0)
  state.lastMove = performance.now()
  waitForCalm(state)
}

/** Pixels per millisecond above which nothing is loaded, because nobody can see what passes. */
const FAST = 6
/** Milliseconds over which the pace is averaged; a longer pause resets it. */
const MEMORY = 100

interface Pace {
  /** Records that the view was at `y` at `now`, in milliseconds. */
  moved(y: number, now: number): void
  isFast(now: number): boolean
}

/** Milliseconds without movement after which the view is calm. */
export const CALM = 90

export function createPace(): Pace {
  let seen: { y: number; at: number }[] = []
  return {
    moved(y, now) {
      seen = seen.filter(({ at }) => now - at <= MEMORY)
      seen.push({ y, at: now })
    },
    isFast(now) {
      const last = seen.at(-1)
      const first = seen[0]
      if (!first || !last || now - last.at >= CALM || last.at === first.at) return false
      return Math.abs(last.y - first.y) / (last.at - first.at) > FAST
    },
  }
}
