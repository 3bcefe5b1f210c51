import type { Geometry } from '../geometry.ts'
import type { Row } from '../layout.ts'

/** Where the arrow keys, Home and End lead. */
export type Step = 'left' | 'right' | 'up' | 'down' | 'row-start' | 'row-end'

/**
 * Returns the position to which a step leads in a listing of `total` files. Up and down lead to the
 * file above or below the middle of this one, across days; null if that row is not loaded.
 */
export function stepFrom(
  geometry: Geometry,
  position: number,
  step: Step,
  total: number,
): number | null {
  if (step === 'left') return Math.max(0, position - 1)
  if (step === 'right') return Math.min(total - 1, position + 1)
  const place = geometry.rowOf(position)
  if (!place) return null
  const { first, row } = place
  const end = first + row.end - row.first
  if (step === 'row-start') return first
  if (step === 'row-end') return end - 1
  const next = step === 'up' ? first - 1 : end
  if (next < 0 || next >= total) return position
  const target = geometry.rowOf(next)
  if (!target) return null
  const index = position - first
  const middle = (row.lefts[index]! + row.lefts[index + 1]!) / 2
  return target.first + indexBelow(target.row, middle)
}

/** Returns the index in a row of the file at `x`; the last one if `x` is to the right of all. */
function indexBelow(row: Row, x: number): number {
  const last = row.lefts.length - 2
  for (let index = 0; index < last; index++) if (row.lefts[index + 1]! > x) return index
  return last
}
