import type { Point } from './zoom.ts'

/** Handlers for fingers, mouse and wheel. Points and distances are in pixels of the stage. */
export interface Gestures {
  /** Whether dragging moves the picture; otherwise it leads to another one, or closes the viewer. */
  isZoomed(): boolean
  zoom(factor: number, at: Point): void
  move(by: Point): void
  pinch(from: [Point, Point], to: [Point, Point]): void
  /** Called after a tap or click that isn't followed by another one, and leaves no text. */
  tap?(): void
  /** Called when a finger or the button stays down in its place, and when it goes up. */
  hold?(isDown: boolean): void
  /** Called on a double tap or a double click. */
  toggle(at: Point): void
  /** Called while a picture that is not zoomed is dragged; `swiped` follows on release. */
  drag(by: Point): void
  swiped(way: Swipe | null): void
}

export type Swipe = 'left' | 'right' | 'down'

/** The most milliseconds and pixels between the two taps of a double tap. */
const DOUBLE = { time: 300, distance: 30 }
/** Milliseconds for which what holds the picture stays in its place, and the pixels that still count as that. */
const HOLD = { time: 350, distance: 10 }
/** The least length in pixels, or the least pixels per millisecond and length, of a swipe. */
const SWIPE = { length: 80, pace: 0.5, least: 24 }

/** Returns where a drag of some milliseconds leads, or null if it leads nowhere. */
export function swipeOf({ x, y }: Point, ms: number): Swipe | null {
  const isAcross = Math.abs(x) > Math.abs(y)
  const length = isAcross ? Math.abs(x) : y
  const isQuick = length / Math.max(ms, 1) >= SWIPE.pace && length >= SWIPE.least
  if (length < SWIPE.length && !isQuick) return null
  if (!isAcross) return 'down'
  return x < 0 ? 'left' : 'right'
}

/**
 * Listens to pointers and the wheel on the stage, and calls the handlers that `wanted` returns at that
 * moment; returns a function that stops listening.
 */
export function watchGestures(stage: HTMLElement, wanted: () => Gestures): () => void {
  const pointers = new Map<number, Point>()
  let start = { at: { x: 0, y: 0 }, time: 0 }
  let waiting: ReturnType<typeof setTimeout> | undefined
  let lastTap = { at: { x: 0, y: 0 }, time: Number.NEGATIVE_INFINITY }
  let isLeavingText = false
  // Whether there was only one pointer, and the picture was not zoomed at the beginning.
  let isSwipe = false
  let isPinch = false
  let holding: ReturnType<typeof setTimeout> | undefined
  let isHeld = false
  const release = () => {
    clearTimeout(holding)
    if (isHeld) wanted().hold?.(false)
    isHeld = false
  }
  const pointOf = (event: MouseEvent): Point => {
    const { left, top } = stage.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }

  const down = (event: PointerEvent) => {
    const isOnControl = (event.target as Element).closest('button, a')
    if (event.button !== 0 || isOnControl) return
    stage.setPointerCapture(event.pointerId)
    isLeavingText = document.activeElement?.matches('input, textarea') ?? false
    const at = pointOf(event)
    pointers.set(event.pointerId, at)
    isPinch = pointers.size > 1
    release()
    if (!isPinch) {
      start = { at, time: event.timeStamp }
      isSwipe = !wanted().isZoomed()
      if (wanted().hold) {
        holding = setTimeout(() => {
          isHeld = true
          wanted().hold?.(true)
        }, HOLD.time)
      }
    } else if (isSwipe) {
      isSwipe = false
      wanted().swiped(null)
    }
  }

  const move = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId)
    if (!before) return
    const at = pointOf(event)
    const way = difference(at, start.at)
    if (isHeld) return
    if (Math.hypot(way.x, way.y) > HOLD.distance) clearTimeout(holding)
    pointers.set(event.pointerId, at)
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
    if (other) wanted().pinch([before, other], [at, other])
    else if (isSwipe) wanted().drag(way)
    else wanted().move(difference(at, before))
  }

  const up = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId) || pointers.size > 0) return
    const wasHeld = isHeld
    release()
    const at = pointOf(event)
    const way = difference(at, start.at)
    if (wasHeld) return wanted().swiped(null)
    if (isSwipe) wanted().swiped(swipeOf(way, event.timeStamp - start.time))
    if (!isPinch && Math.hypot(way.x, way.y) < DOUBLE.distance / 2) tap(at, event)
  }

  const tap = (at: Point, { timeStamp: time }: PointerEvent) => {
    const gap = difference(at, lastTap.at)
    const isDouble = time - lastTap.time < DOUBLE.time && Math.hypot(gap.x, gap.y) < DOUBLE.distance
    clearTimeout(waiting)
    if (isDouble) wanted().toggle(at)
    else if (!isLeavingText) waiting = setTimeout(() => wanted().tap?.(), DOUBLE.time)
    lastTap = { at, time: isDouble ? Number.NEGATIVE_INFINITY : time }
  }

  const cancel = (event: PointerEvent) => {
    release()
    if (pointers.delete(event.pointerId) && pointers.size === 0 && isSwipe) wanted().swiped(null)
  }

  const wheel = (event: WheelEvent) => {
    event.preventDefault()
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1)
    // Pinching on a touch pad produces wheel events with Ctrl, in small steps.
    wanted().zoom(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.002)), pointOf(event))
  }

  const ended = new AbortController()
  const { signal } = ended
  stage.addEventListener('pointerdown', down, { signal })
  stage.addEventListener('pointermove', move, { signal })
  stage.addEventListener('pointerup', up, { signal })
  stage.addEventListener('pointercancel', cancel, { signal })
  // What holds a picture would open the browser's menu as well.
  stage.addEventListener('contextmenu', (event) => isHeld && event.preventDefault(), { signal })
  stage.addEventListener('wheel', wheel, { signal, passive: false })
  return () => {
    clearTimeout(waiting)
    release()
    ended.abort()
  }
}

function difference(a: Point, b: Point): Point {
  return { x: a.x - b.x, y: a.y - b.y }
}
