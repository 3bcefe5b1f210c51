import type { Point } from '../viewer/zoom.ts'

/** What fingers, mouse and wheel do to the map; points and distances are in pixels of the stage. */
interface Gestures {
  move(by: Point): void
  pinch(from: [Point, Point], to: [Point, Point]): void
  zoom(factor: number, at: Point): void
}

/** Pixels within which a press is still a click, on a place as well. */
const STILL = 6

/** Listens to pointers and the wheel on the stage; returns a function that stops listening. */
export function watchGestures(stage: HTMLElement, { move, pinch, zoom }: Gestures): () => void {
  const pointers = new Map<number, Point>()
  let start: Point = { x: 0, y: 0 }
  let isMoving = false
  const ended = new AbortController()
  const listen = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    listener: (event: HTMLElementEventMap[Type]) => void,
  ) => stage.addEventListener(type, listener, { signal: ended.signal, passive: false })
  const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = stage.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  const end = ({ pointerId }: PointerEvent) => {
    pointers.delete(pointerId)
  }

  listen('pointerdown', (event) => {
    if (event.button !== 0) return
    pointers.set(event.pointerId, pointOf(event))
    if (pointers.size > 1) return
    start = pointOf(event)
    isMoving = false
  })
  listen('pointermove', (event) => {
    // A mouse may have been released beside the stage.
    if (event.buttons === 0) end(event)
    const before = pointers.get(event.pointerId)
    if (!before) return
    const at = pointOf(event)
    isMoving ||= pointers.size > 1 || Math.hypot(at.x - start.x, at.y - start.y) > STILL
    if (!isMoving) return
    // From here on, it is no click.
    stage.setPointerCapture(event.pointerId)
    pointers.set(event.pointerId, at)
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
    if (other) pinch([before, other], [at, other])
    else move({ x: at.x - before.x, y: at.y - before.y })
  })
  listen('pointerup', end)
  listen('pointercancel', end)
  listen('dragstart', (event) => event.preventDefault())
  listen('wheel', (event) => {
    event.preventDefault()
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1)
    // Pinching on a touch pad produces wheel events with Ctrl, in small steps.
    zoom(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.002)), pointOf(event))
  })
  return () => ended.abort()
}
