import { selection, swallowClick } from '../../grid/index.ts'
import type { Drag } from './drag.ts'

/** Pixels that the mouse moves before a click becomes a drag. */
const SLACK = 6
/** Pixels that a resting finger may move. */
const FINGER = 10
/** Milliseconds after which a touch picks up. */
const LONG = 450

/** Lets mouse and fingers drag files, in place of the grid's usual gestures. */
export function watchGestures(element: HTMLElement, drag: Drag): () => void {
  const own = new AbortController()
  // Before the grid's own listeners, which would begin a rectangle or a selection.
  const first = { signal: own.signal, capture: true }
  const listen = { signal: own.signal }
  let pressed: { id: string; x: number; y: number } | null = null

  element.addEventListener(
    'pointerdown',
    (event) => {
      const { pointerType, button, ctrlKey, metaKey, shiftKey, clientX: x, clientY: y } = event
      if (pointerType !== 'mouse' || button !== 0 || ctrlKey || metaKey || shiftKey) return
      const id = fileAt(event.target as Element)
      if (!id) return
      event.stopPropagation()
      pressed = { id, x, y }
    },
    first,
  )
  element.addEventListener(
    'dragstart',
    (event) => {
      event.preventDefault()
      event.stopPropagation()
    },
    first,
  )
  addEventListener(
    'pointermove',
    ({ pointerType, clientX: x, clientY: y }) => {
      if (pointerType !== 'mouse') return
      if (pressed && Math.hypot(x - pressed.x, y - pressed.y) >= SLACK) {
        drag.start(pressed.id, pressed.x, pressed.y)
        pressed = null
      }
      drag.moveTo(x, y)
    },
    listen,
  )
  addEventListener(
    'pointerup',
    ({ pointerType }) => {
      pressed = null
      if (pointerType === 'mouse' && drag.held.peek()) drag.drop()
    },
    listen,
  )
  const stopTouch = watchFinger(element, drag)
  return () => {
    own.abort()
    stopTouch()
    drag.cancel()
  }
}

/** A long press picks a file up; released without a move, it selects the file. */
function watchFinger(element: HTMLElement, drag: Drag): () => void {
  const own = new AbortController()
  const first = { signal: own.signal, capture: true, passive: false }
  let pressed: { id: string; x: number; y: number } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasMoved = false

  const release = () => {
    clearTimeout(timer)
    pressed = null
    hasMoved = false
  }
  const stop = () => {
    release()
    drag.cancel()
  }
  const onStart = (event: TouchEvent) => {
    const [touch, second] = event.touches
    const id = fileAt(event.target as Element)
    if (second || !touch || !id) return stop()
    event.stopPropagation()
    const { clientX: x, clientY: y } = touch
    pressed = { id, x, y }
    timer = setTimeout(() => {
      drag.start(id, x, y)
      navigator.vibrate?.(10)
    }, LONG)
  }
  const onMove = (event: TouchEvent) => {
    const { clientX: x, clientY: y } = event.touches[0]!
    const isFar = pressed !== null && Math.hypot(x - pressed.x, y - pressed.y) > FINGER
    if (!drag.held.peek()) {
      if (isFar) release()
      return
    }
    event.preventDefault()
    hasMoved ||= isFar
    drag.moveTo(x, y)
  }
  const onEnd = () => {
    if (drag.held.peek() && hasMoved) drag.drop()
    else if (drag.held.peek() && pressed) {
      const { id } = pressed
      drag.cancel()
      if (!selection.has(id)) selection.toggle([id])
      swallowClick(element)
    }
    release()
  }
  element.addEventListener('touchstart', onStart, first)
  element.addEventListener('touchmove', onMove, first)
  element.addEventListener('touchend', onEnd, first)
  element.addEventListener('touchcancel', stop, first)
  // Otherwise a long press on a link opens a menu.
  element.addEventListener('contextmenu', (event) => pressed && event.preventDefault(), first)
  return () => {
    release()
    own.abort()
  }
}

/** Returns the file whose cell contains an element, except for its buttons; null without one. */
function fileAt(target: Element): string | null {
  if (target.closest('button, .tick')) return null
  return target.closest('.cell')?.querySelector('a')?.dataset.id ?? null
}
