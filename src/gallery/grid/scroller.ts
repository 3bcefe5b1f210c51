import { type ReadonlySignal, signal } from '@preact/signals'
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

interface Wishes {
  /** Called after drawing, if the view moves slowly enough to load. */
  slow(): void
  /** Called when the view has become too fast for loading. */
  fast(): void
  calm(): void
}

/** Creates a scroller without an element. */
export function createScroller(wishes: Wishes): Scroller {
  const drawn = signal<Drawn>({ blocks: [], base: 0, isAtEnd: false })
  const place = signal(0)
  const pace = createPace()
  let element: HTMLElement | null = null
  let canvas: HTMLElement | null = null
  let geometry: Geometry | null = null
  let box: Box = { height: 0, base: 0 }
  let y = 0
  let drawnAt = Number.NaN
  let lastMove = 0
  let wasFast = false
  // Whether something was drawn since the last call of `slow`.
  let hasNews = false
  let viewHeight = 0
  // The file that was jumped to, until the user scrolls: what loads around it must not move it away.
  let target: number | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const total = () => (geometry?.height() ?? 0) + END

  // Returns the position of the view that shows a file as high up as possible.
  const yOfJump = (position: number) =>
    Math.max(0, Math.min(total() - viewHeight, geometry?.yOf(position) ?? 0))

  const settle = (isCalm: boolean) => {
    if (!element || !canvas) return
    const view = viewHeight
    y = Math.max(0, Math.min(total() - view, y))
    const next = placeBox(box, { y, total: total(), view, isCalm })
    if (next.height !== box.height) canvas.style.height = `${next.height}px`
    box = next
    const top = y - box.base
    // The browser rounds the value to device pixels.
    if (Math.abs(element.scrollTop - top) >= 1) element.scrollTop = top
  }

  // Draws what is in view, unless it has moved by less than `least` pixels since the last drawing.
  const draw = (least: number) => {
    if (!geometry) return
    if (Math.abs(y - drawnAt) < least && drawn.peek().base === box.base) return
    drawnAt = y
    const end = y + viewHeight + AROUND
    const isAtEnd = y > 0 && y + viewHeight >= total() - 1
    drawn.value = { blocks: geometry.visible(y - AROUND, end), base: box.base, isAtEnd }
    place.value = geometry.anchorAt(y).position
    hasNews = true
  }

  const wish = () => {
    const isFast = pace.isFast(performance.now())
    if (isFast && !wasFast) wishes.fast()
    if (!isFast && (wasFast || hasNews)) wishes.slow()
    wasFast = isFast
    hasNews = false
  }

  const waitForCalm = () => {
    timer ??= setTimeout(function look() {
      const left = CALM - (performance.now() - lastMove)
      if (left > 0) {
        timer = setTimeout(look, left)
        return
      }
      timer = undefined
      settle(true)
      draw(ANY)
      wish()
      wishes.calm()
    }, CALM)
  }

  const onScroll = () => {
    const now = element!.scrollTop + box.base
    if (Math.abs(now - y) >= 1) target = null
    y = now
    lastMove = performance.now()
    pace.moved(y, lastMove)
    settle(false)
    draw(STEP)
    wish()
    waitForCalm()
  }

  const go = (to: number) => {
    y = to
    target = null
    settle(false)
    draw(0)
    lastMove = performance.now()
    waitForCalm()
  }

  return {
    drawn,
    place,
    attach(ownElement, ownCanvas) {
      element = ownElement
      canvas = ownCanvas
      viewHeight = ownElement.clientHeight
      element.addEventListener('scroll', onScroll, { passive: true })
      return () => {
        element?.removeEventListener('scroll', onScroll)
        clearTimeout(timer)
        timer = undefined
        element = null
        canvas = null
      }
    },
    show(next, anchor) {
      geometry = next
      target = null
      y = next.yOfAnchor(anchor)
      box = { height: 0, base: y - (element?.scrollTop ?? 0) }
      settle(true)
      draw(0)
      wish()
    },
    change(apply) {
      const anchor = geometry?.anchorAt(y)
      apply()
      if (!geometry || !anchor) return
      const moved = (target === null ? geometry.yOfAnchor(anchor) : yOfJump(target)) - y
      // Moves the base, not the scroll position: nothing flickers, and momentum is kept.
      box = { ...box, base: box.base + moved }
      y += moved
      settle(false)
      draw(0)
      wish()
      waitForCalm()
    },
    anchor: () => geometry?.anchorAt(y) ?? { position: 0, below: 0 },
    jump(position) {
      if (!geometry) return
      go(yOfJump(position))
      target = position
    },
    reveal(position) {
      if (!geometry) return
      const top = geometry.yOf(position)
      const row = geometry.rowOf(position)
      const end = row ? row.y + row.row.height : top
      const margin = Math.max(0, Math.min(REVEALED, (viewHeight - (end - top)) / 2))
      if (top < y) go(top)
      else if (end + margin > y + viewHeight) go(end + margin - viewHeight)
    },
    shows(position) {
      const found = position === null ? null : geometry?.rowOf(position)
      return Boolean(found && found.y < y + viewHeight && found.y + found.row.height > y)
    },
    move: (by) => go(y + by),
    view: () => ({ y, height: viewHeight }),
    resize() {
      const height = element?.clientHeight ?? 0
      if (height === viewHeight) return
      viewHeight = height
      settle(true)
      draw(0)
      wish()
      waitForCalm()
    },
  }
}

/** Pixels left free below a file that is scrolled into view. */
const REVEALED = 80

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
