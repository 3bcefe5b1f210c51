import type { Signal } from '@preact/signals'
import { DENSITIES, type Density, density } from '../../base/preferences.ts'
import type { Area } from '../geometry.ts'
import type { OpenFiles } from '../listing/files.ts'
import type { Scroller } from '../scroller.ts'
import { NOTHING, type Selected, type Selection, withFiles } from '../selection.ts'
import type { View } from '../view.ts'

/** Pixels from an edge within which a gesture scrolls. */
const NEAR = 56
/** Pixels scrolled per frame at the very edge. */
const FASTEST = 24

/** Scrolls while a gesture is held near the upper or lower edge, and calls `moved` after each step. */
export function scrollAtEdges(element: HTMLElement, scroller: Scroller, moved: () => void) {
  let speed = 0
  let isGoing = false
  const go = () => {
    isGoing = speed !== 0
    if (!isGoing) return
    scroller.move(speed)
    moved()
    requestAnimationFrame(go)
  }
  return {
    // In pixels of the window.
    at(clientY: number) {
      const { top, bottom } = element.getBoundingClientRect()
      const above = Math.max(0, top + NEAR - clientY)
      const below = Math.max(0, clientY - (bottom - NEAR))
      speed = (Math.min(1, below / NEAR) - Math.min(1, above / NEAR)) * FASTEST
      if (speed === 0 || isGoing) return
      isGoing = true
      requestAnimationFrame(go)
    },
    stop() {
      speed = 0
    },
  }
}

/** The rectangle that is drawn with the mouse, in pixels of the listing. */
export type Lasso = Area

/** The data type of dragged files: a JSON list of their ids. */
export const DRAGGED = 'application/x-tagstead-files'

/** Pixels that the mouse moves before a click becomes a rectangle. */
const SLACK = 6
/** Pixels of the wheel per step of density. */
const NOTCH = 60

/** Selects by a rectangle, drags the selection, and changes the density by Ctrl and the wheel. */
export function watchMouse(
  element: HTMLElement,
  canvas: HTMLElement,
  { files, view, selection }: { files: OpenFiles; view: View; selection: Selection },
  lasso: Signal<Lasso | null>,
): () => void {
  const own = new AbortController()
  const listen = { signal: own.signal }
  let start: { x: number; y: number; before: Selected } | null = null
  let last: PointerEvent | null = null
  const edges = scrollAtEdges(element, view.scroller, () => last && extend(last))

  const placeOf = ({ clientX, clientY }: PointerEvent) => {
    const { left } = canvas.getBoundingClientRect()
    const { top } = element.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top + view.scroller.view().y }
  }
  const extend = (event: PointerEvent) => {
    if (!start) return
    const { x, y } = placeOf(event)
    const area = {
      left: Math.min(x, start.x),
      right: Math.max(x, start.x),
      top: Math.min(y, start.y),
      bottom: Math.max(y, start.y),
    }
    lasso.value = area
    const found = view.geometry.peek()?.within(area) ?? []
    const ids = found.flatMap((position) => files.peek(position)?.id ?? [])
    selection.replace(withFiles(start.before, ids, true))
  }
  const end = () => {
    if (lasso.peek()) swallowClick(element)
    edges.stop()
    start = null
    last = null
    lasso.value = null
  }

  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.pointerType !== 'mouse' || event.button !== 0) return
      const target = event.target as Element
      if (target.closest('button, .top, .tick, .cell[aria-selected="true"]')) return
      const isAdding = event.ctrlKey || event.metaKey || event.shiftKey
      start = { ...placeOf(event), before: isAdding ? selection.selected.peek() : NOTHING }
    },
    listen,
  )
  addEventListener(
    'pointermove',
    (event: PointerEvent) => {
      if (!start) return
      const { x, y } = placeOf(event)
      if (!lasso.peek() && Math.hypot(x - start.x, y - start.y) < SLACK) return
      last = event
      edges.at(event.clientY)
      extend(event)
    },
    listen,
  )
  addEventListener('pointerup', end, listen)
  addEventListener('pointercancel', end, listen)
  element.addEventListener(
    'dragstart',
    (event) => {
      const cell = (event.target as Element).closest('.cell[aria-selected="true"]')
      const { kind } = selection.selected.peek()
      if (!cell || kind !== 'files' || !event.dataTransfer) {
        event.preventDefault()
        return
      }
      const chosen = selection.selected.peek()
      if (chosen.kind === 'files') {
        event.dataTransfer.setData(DRAGGED, JSON.stringify([...chosen.ids]))
      }
      event.dataTransfer.effectAllowed = 'copyMove'
    },
    listen,
  )
  let turned = 0
  element.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      turned += event.deltaY
      if (Math.abs(turned) < NOTCH) return
      density.value = denser(density.peek(), turned > 0 ? 1 : -1)
      turned = 0
    },
    { ...listen, passive: false },
  )
  return () => {
    edges.stop()
    own.abort()
  }
}

/** Prevents the click that ends a gesture from opening a file. */
export function swallowClick(element: HTMLElement): void {
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  element.addEventListener('click', swallow, { capture: true, once: true })
  // There is no click when the gesture ends elsewhere.
  setTimeout(() => element.removeEventListener('click', swallow, { capture: true }), 50)
}

/** Returns the density that is `steps` denser, or airier if negative. */
export function denser(density: Density, steps: number): Density {
  const index = DENSITIES.indexOf(density) - steps
  return DENSITIES[Math.max(0, Math.min(DENSITIES.length - 1, index))]!
}
