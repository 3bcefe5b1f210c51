import { density } from '../../base/preferences.ts'
import { complain } from '../../parts/toast.tsx'
import type { OpenFiles } from '../listing/files.ts'
import type { Selection } from '../selection.ts'
import type { View } from '../view.ts'
import { denser, scrollAtEdges, swallowClick } from './mouse.ts'

/** Milliseconds after which a touch counts as a long press. */
const LONG = 450
/** Pixels that a resting finger may move. */
const SLACK = 10
/** The growth of the distance between two fingers per step of density. */
const PINCH = 1.3

/** Selects by a long press and by dragging from there, and changes the density by two fingers. */
export function watchTouch(
  element: HTMLElement,
  { view, selection }: { files: OpenFiles; view: View; selection: Selection },
): () => void {
  const own = new AbortController()
  const listen = { signal: own.signal, passive: false }
  let pressed: { x: number; y: number; timer: ReturnType<typeof setTimeout> } | null = null
  let isDragging = false
  let point = { x: 0, y: 0 }
  let spread: number | null = null
  const edges = scrollAtEdges(element, view.scroller, () => extend())

  const extend = () => {
    const position = positionAt(point.x, point.y)
    if (position !== null) selection.extend(position, view.tile(position).last).catch(complain)
  }
  const release = () => {
    clearTimeout(pressed?.timer)
    pressed = null
  }
  const press = (x: number, y: number) => {
    pressed = null
    const cell = document.elementFromPoint(x, y)?.closest<HTMLElement>('.cell')
    const id = cell?.querySelector('a')?.dataset.id
    if (!cell || !id) return
    isDragging = true
    navigator.vibrate?.(10)
    const position = Number(cell.dataset.position)
    if (!selection.has(id)) selection.toggle(view.tile(position).ids, position)
  }

  element.addEventListener(
    'touchstart',
    (event) => {
      release()
      const [first, second] = event.touches
      if (second) {
        spread = Math.hypot(first!.clientX - second.clientX, first!.clientY - second.clientY)
        return
      }
      const { clientX: x, clientY: y } = first!
      if (!(event.target as Element).closest('.cell')) return
      pressed = { x, y, timer: setTimeout(() => press(x, y), LONG) }
    },
    listen,
  )
  element.addEventListener(
    'touchmove',
    (event) => {
      const [first, second] = event.touches
      if (second && spread !== null) {
        event.preventDefault()
        const now = Math.hypot(first!.clientX - second.clientX, first!.clientY - second.clientY)
        const ratio = now / spread
        if (ratio < PINCH && ratio > 1 / PINCH) return
        density.value = denser(density.peek(), ratio > 1 ? -1 : 1)
        spread = now
        return
      }
      const { clientX: x, clientY: y } = first!
      if (isDragging) {
        event.preventDefault()
        point = { x, y }
        edges.at(y)
        extend()
      } else if (pressed && Math.hypot(x - pressed.x, y - pressed.y) > SLACK) release()
    },
    listen,
  )
  const end = ({ touches }: TouchEvent) => {
    release()
    if (touches.length > 0) return
    if (isDragging) swallowClick(element)
    isDragging = false
    spread = null
    edges.stop()
  }
  element.addEventListener('touchend', end, listen)
  element.addEventListener('touchcancel', end, listen)
  // Otherwise a long press on a link opens a menu.
  element.addEventListener('contextmenu', (event) => isDragging && event.preventDefault(), listen)
  return () => {
    release()
    edges.stop()
    own.abort()
  }
}

function positionAt(x: number, y: number): number | null {
  const cell = document.elementFromPoint(x, y)?.closest<HTMLElement>('.cell')
  return cell ? Number(cell.dataset.position) : null
}
