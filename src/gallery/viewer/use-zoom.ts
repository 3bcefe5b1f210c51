import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type Gestures, type Swipe, watchGestures } from './gestures.ts'
import {
  bounded,
  fit,
  isWhole,
  moved,
  type Point,
  pinched,
  pixelsAcross,
  type Size,
  toggled,
  type View,
  zoomAt,
} from './zoom.ts'

interface Zoom {
  /** For the element that the picture lies in. */
  stage: RefObject<HTMLDivElement | null>
  isMeasured: boolean
  /** Whether less than the whole picture is visible. */
  isZoomed: boolean
  /** The style of the picture. */
  place: { width: string; height: string; transform: string }
  /** How many pixels of the screen the picture is wide. */
  pixels: number
  /** Switches between the whole picture and one of its pixels per screen pixel. */
  toggle(): void
  /** Zooms around the middle. */
  zoom(factor: number): void
}

/** Lets fingers, mouse and wheel zoom and move a picture of a size; another `id` is shown as a whole. */
export function useZoom(
  id: string,
  size: Size,
  acts: Pick<Gestures, 'tap' | 'hold'> & { swipe(way: Swipe): void },
): Zoom {
  const stage = useRef<HTMLDivElement>(null)
  const room = useSignal<Size>({ width: 0, height: 0 })
  // Where the user has moved the picture; null while all of it is shown.
  const put = useSignal<View | null>(null)
  const pulled = useSignal<Point>({ x: 0, y: 0 })

  const viewNow = () => bounded(put.peek() ?? fit(size, room.peek()), size, room.peek())
  const set = (view: View) => {
    const next = bounded(view, size, room.peek())
    put.value = isWhole(next, size, room.peek()) ? null : next
  }
  const middle = () => ({ x: room.peek().width / 2, y: room.peek().height / 2 })
  const toggleAt = (point: Point) =>
    set(toggled(viewNow(), size, room.peek(), point, devicePixelRatio))

  const latest = useRef<Gestures>(null as never)
  latest.current = {
    ...acts,
    isZoomed: () => put.peek() !== null,
    zoom: (factor, at) => set(zoomAt(viewNow(), factor, at)),
    move: (by) => set(moved(viewNow(), by)),
    pinch: (from, to) => set(pinched(viewNow(), from, to)),
    toggle: toggleAt,
    drag: ({ x, y }) => {
      pulled.value = Math.abs(x) > Math.abs(y) ? { x, y: 0 } : { x: 0, y: Math.max(0, y) }
    },
    swiped: (way) => {
      pulled.value = { x: 0, y: 0 }
      if (way) acts.swipe(way)
    },
  }

  useLayoutEffect(() => {
    const element = stage.current!
    const measure = () => {
      room.value = { width: element.clientWidth, height: element.clientHeight }
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    const unwatch = watchGestures(element, () => latest.current)
    return () => {
      observer.disconnect()
      unwatch()
    }
  }, [])
  useLayoutEffect(() => {
    put.value = null
  }, [id])

  const view = bounded(put.value ?? fit(size, room.value), size, room.value)
  const { x, y } = pulled.value
  return {
    stage,
    isMeasured: room.value.width > 0,
    isZoomed: put.value !== null,
    place: {
      width: `${size.width * view.scale}px`,
      height: `${size.height * view.scale}px`,
      transform: `translate(${view.x + x}px, ${view.y + y}px)`,
    },
    pixels: pixelsAcross(view, size, devicePixelRatio),
    toggle: () => toggleAt(middle()),
    zoom: (factor) => set(zoomAt(viewNow(), factor, middle())),
  }
}
