import type { Box, SeenGap } from './hit.ts'

/** How far the cells beside a gap move aside, in pixels. */
const ROOM = 12

/** Returns the drawn cells at their places without a gap. */
export function boxesIn(element: Element): Box[] {
  return [...element.querySelectorAll<HTMLElement>('.cell')].map((cell) => {
    const { left, right, top, bottom } = cell.getBoundingClientRect()
    const shift = Number.parseFloat(cell.style.translate) || 0
    const position = Number(cell.dataset.position)
    return { position, left: left - shift, right: right - shift, top, bottom }
  })
}

/** Moves the cells of a row aside for a gap, and all others back to their places. */
export function makeRoom(element: Element, gap: SeenGap | null): void {
  for (const cell of element.querySelectorAll<HTMLElement>('.cell')) {
    const { top } = cell.getBoundingClientRect()
    const isInRow = gap !== null && Math.abs(top - gap.top) < 1
    const isBefore = gap !== null && Number(cell.dataset.position) < gap.place
    const translate = isInRow ? `${isBefore ? -ROOM : ROOM}px` : ''
    if (cell.style.translate !== translate) cell.style.translate = translate
  }
}
