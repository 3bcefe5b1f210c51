/** Pixels between a button and its popup, and between the popup and the window's edge. */
const GAP = 4
const EDGE = 8

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>
interface Size {
  width: number
  height: number
}

/**
 * Returns where a popup opens at a box: below it, or above if there is more room, aligned with its left
 * or right edge, and inside the window.
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
