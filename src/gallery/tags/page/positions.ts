import { positionOf } from '../sections.ts'

/**
 * Returns which categories get another position, and which, when the one at `from` goes to `to`;
 * `ordered` are all of them as they stand.
 */
export function positionsAfter<C extends { metadata: Record<string, unknown> | null }>(
  ordered: readonly C[],
  from: number,
  to: number,
): Map<C, number> {
  const after = ordered.toSpliced(from, 1).toSpliced(to, 0, ordered[from]!)
  return new Map(
    after
      .map((category, position): [C, number] => [category, position])
      .filter(([category, position]) => positionOf(category) !== position),
  )
}
