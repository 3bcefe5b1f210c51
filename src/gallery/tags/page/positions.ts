import { positionOf } from '../sections.ts'

/**
 * Returns the categories that get another position, with the new one, when the one at `from` moves to
 * `to`; `ordered` are all of them in their current order.
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
