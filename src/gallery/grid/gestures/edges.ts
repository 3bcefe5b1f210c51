import type { Scroller } from '../scroller.ts'

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
