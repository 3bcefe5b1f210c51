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

/** The box of a cell in the window, in pixels. */
export interface Box {
  /** Its place in the listing. */
  position: number
  left: number
  right: number
  top: number
  bottom: number
}

/** A gap between cells, and where it is shown. */
export interface SeenGap {
  /** The number of files of the listing before it. */
  place: number
  x: number
  top: number
  bottom: number
}

function rowsOf(cells: readonly Box[]): Box[][] {
  const rows = new Map<number, Box[]>()
  for (const cell of cells) {
    const key = Math.round(cell.top)
    const row = rows.get(key) ?? []
    row.push(cell)
    rows.set(key, row)
  }
  return [...rows.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, row]) => row.sort((a, b) => a.left - b.left))
}

/** Returns the gap nearest to a point; null without cells. */
export function gapUnder(cells: readonly Box[], x: number, y: number): SeenGap | null {
  const rows = rowsOf(cells)
  const row = rows.find(([first]) => y < first!.bottom) ?? rows.at(-1)
  if (!row) return null
  return gapIn(row, row.filter(({ left, right }) => (left + right) / 2 < x).length)
}

/** Returns the gap before the file at a place; null if that is not among the cells. */
export function gapBefore(cells: readonly Box[], place: number): SeenGap | null {
  for (const row of rowsOf(cells)) {
    const index = row.findIndex(({ position }) => position === place)
    if (index !== -1) return gapIn(row, index)
    if (row.at(-1)!.position === place - 1) return gapIn(row, row.length)
  }
  return null
}

function gapIn(row: Box[], index: number): SeenGap {
  const [before, behind] = [row[index - 1], row[index]]
  const { top, bottom } = (behind ?? before)!
  const x = before && behind ? (before.right + behind.left) / 2 : (behind?.left ?? before!.right)
  return { place: behind?.position ?? before!.position + 1, x, top, bottom }
}

/**
 * Returns the place in the row above (-1) or below (1) nearest to the cell of a position: before the
 * file there when going up, after it when going down. Null if that row isn't drawn.
 */
export function placeInRow(cells: readonly Box[], position: number, step: 1 | -1): number | null {
  const rows = rowsOf(cells)
  const at = rows.findIndex((row) => row.some((cell) => cell.position === position))
  const own = rows[at]?.find((cell) => cell.position === position)
  const next = at === -1 ? undefined : rows[at + step]
  if (!own || !next) return null
  const middle = (own.left + own.right) / 2
  const distance = ({ left, right }: Box) => Math.abs((left + right) / 2 - middle)
  const nearest = next.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best))
  return step === -1 ? nearest.position : nearest.position + 1
}
