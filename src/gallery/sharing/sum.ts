import type { Schemas } from '../../client/index.ts'
import type { Sight } from './sight.ts'

type Reach = Schemas['Reach']

/** The combined result of several requests. */
export interface Sum {
  all: number
  /** How many others created; the caller may know nothing else about them. */
  others: number
  sights: Map<number, Sight>
}

/**
 * Combines the results of requests about different files, or about different users of the same files.
 */
export function sumOf(slices: readonly (readonly Reach[])[]): Sum {
  const sum: Sum = { all: 0, others: 0, sights: new Map() }
  for (const slice of slices) {
    sum.all += slice[0]?.files ?? 0
    sum.others += slice[0]?.not_yours ?? 0
    for (const { user_id, seen, can_edit } of slice.flatMap(({ users }) => users)) {
      const before = sum.sights.get(user_id) ?? { seen: 0, edits: 0 }
      sum.sights.set(user_id, { seen: before.seen + seen, edits: before.edits + can_edit })
    }
  }
  return sum
}
