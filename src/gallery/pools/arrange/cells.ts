import type { Box, SeenGap } from './hit.ts'

/** How far the cells beside a gap make room for it, in pixels. */
const ROOM = 12

/** Returns the cells that are drawn, as they stand when none makes room. */
export function boxesIn(element: Element): Box[] {
  return [...element.querySelectorAll<HTMLElement>('.cell')].map((cell) => {
    const { left, right, top, bottom } = cell.getBoundingClientRect()
    const shift = Number.parseFloat(cell.style.translate) || 0
    const position = Number(cell.dataset.position)
    return { position, left: left - shift, right: right - shift, top, bottom }
  })
}

/** Lets the cells of a row make room for a gap; all others stand where they belong. */
export function makeRoom(element: Element, gap: SeenGap | null): void {
  for (const cell of element.querySelectorAll<HTMLElement>('.cell')) {
    const { top } = cell.getBoundingClientRect()
    const isInRow = gap !== null && Math.abs(top - gap.top) < 1
    const isBefore = gap !== null && Number(cell.dataset.position) < gap.place
    const translate = isInRow ? `${isBefore ? -ROOM : ROOM}px` : ''
    if (cell.style.translate !== translate) cell.style.translate = translate
  }
}
