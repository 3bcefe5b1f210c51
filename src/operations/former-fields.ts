import type { Change, Changes } from '../audit/changes.ts'
import { asFarAsItStood, type Outcome } from './tally.ts'

/**
 * Returns the former values of the fields that still have the ones that a change gave them. Fields that
 * make `one` thing are taken back all or none.
 */
export function formerFields(
  present: object,
  changes: Changes,
  one: string[] = [],
): { update: Record<string, unknown>; outcome: Outcome } {
  const fields = new Map(Object.entries(present))
  const all = Object.entries(changes)
  const stands = ([field, { to }]: [string, Change]) =>
    JSON.stringify(fields.get(field)) === JSON.stringify(to)
  const oneStands = all.filter(([field]) => one.includes(field)).every(stands)
  const standing = all.filter((change) => (one.includes(change[0]) ? oneStands : stands(change)))
  const update = Object.fromEntries(standing.map(([field, { from }]) => [field, from]))
  return { update, outcome: asFarAsItStood(standing.length, all.length) }
}
