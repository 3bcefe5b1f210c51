/** An area in degrees. */
export interface Box {
  west: number
  south: number
  east: number
  north: number
}

export const WORLD: Box = { west: -180, south: -90, east: 180, north: 90 }
const DIGITS = '0123456789bcdefghjkmnpqrstuvwxyz'

/** Returns the area of a geohash. */
export function boxOf(cell: string): Box {
  const box = { ...WORLD }
  let isWide = true
  for (const digit of cell) {
    const number = DIGITS.indexOf(digit)
    for (let bit = 16; bit >= 1; bit /= 2) {
      const [low, high] = isWide ? (['west', 'east'] as const) : (['south', 'north'] as const)
      box[number & bit ? low : high] = (box[low] + box[high]) / 2
      isWide = !isWide
    }
  }
  return box
}

/** Returns the degrees of longitude that a cell of so many characters is wide. */
export function widthOf(length: number): number {
  return 360 / 2 ** Math.ceil(length * 2.5)
}

/** Returns the smallest cells, at most `most`, that cover an area; none if that takes the whole world. */
export function coverOf(area: Box, most: number): string[] {
  let cells = ['']
  for (let length = 1; length <= 8; length++) {
    const smaller = cells
      .flatMap((cell) => [...DIGITS].map((digit) => cell + digit))
      .filter((cell) => overlap(boxOf(cell), area))
    if (smaller.length > most) break
    cells = smaller
  }
  return cells.length === DIGITS.length && cells[0]!.length === 1 ? [] : cells
}

function overlap(a: Box, b: Box): boolean {
  return a.west < b.east && a.east > b.west && a.south < b.north && a.north > b.south
}

/**
 * Returns at most `most` geohashes that hold all of the `cells` that are in sight, and as few others as possible. `known`
 * are the geohashes outside of which `cells` may lack some.
 */
export function namesOf(
  cells: readonly string[],
  isInSight: (cell: string) => boolean,
  known: readonly string[],
  most: number,
): string[] {
  const roots = known.length > 0 ? known : ['']
  for (let length = 8; ; length--) {
    const names = roots.flatMap((root) =>
      namesIn(
        root,
        cells.filter((cell) => cell.startsWith(root)),
        isInSight,
        length,
      ),
    )
    if (names.length <= most || length === 1) return names
  }
}

function namesIn(
  root: string,
  cells: readonly string[],
  isInSight: (cell: string) => boolean,
  length: number,
): string[] {
  const seen = cells.filter(isInSight).length
  if (seen === 0) return []
  // At the latest where there is one cell alone, of which all or nothing is in sight.
  if (seen === cells.length || (root !== '' && root.length >= length)) return [root]
  return [...DIGITS].flatMap((digit) => {
    const part = cells.filter((cell) => cell[root.length] === digit)
    return namesIn(root + digit, part, isInSight, length)
  })
}
