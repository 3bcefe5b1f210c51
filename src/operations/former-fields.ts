import type { Changes } from '../audit/changes.ts'
import { asFarAsItStood, type Outcome } from './tally.ts'

/** Returns the former values of the fields that still have the ones that a change gave them. */
export function formerFields(
  present: object,
  changes: Changes,
): { update: Record<string, unknown>; outcome: Outcome } {
  const fields = new Map(Object.entries(present))
  const all = Object.entries(changes)
  const standing = all.filter(
    ([field, { to }]) => JSON.stringify(fields.get(field)) === JSON.stringify(to),
  )
  const update = Object.fromEntries(standing.map(([field, { from }]) => [field, from]))
  return { update, outcome: asFarAsItStood(standing.length, all.length) }
}
