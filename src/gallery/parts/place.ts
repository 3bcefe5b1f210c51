/** Pixels between a button and what opens at it, and between that and the window's edge. */
const GAP = 4
const EDGE = 8

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>
interface Size {
  width: number
  height: number
}

/**
 * Returns where something of a size opens at a box: below it, or above when there is more room, its
 * left or right edge at that of the box, and inside of the window.
 */
export function placeAt(box: Box, size: Size, window: Size): { left: number; top: number } {
  const roomBelow = window.height - box.bottom
  const isAbove = roomBelow < size.height + GAP + EDGE && box.top > roomBelow
  const top = isAbove ? box.top - GAP - size.height : box.bottom + GAP
  const left = box.left + size.width + EDGE > window.width ? box.right - size.width : box.left
  return {
    left: inside(left, size.width, window.width),
    top: inside(top, size.height, window.height),
  }
}

function inside(start: number, length: number, whole: number): number {
  return Math.max(EDGE, Math.min(start, whole - length - EDGE))
}
