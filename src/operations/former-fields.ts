import type { Change, Changes } from '../audit/changes.ts'
import { isLost, isToldAs } from '../audit/long-texts.ts'
import { asFarAsItStood, type Outcome } from './tally.ts'

/**
 * Returns the former values, as far as they are stored, of the fields that still have the values from a change. Fields
 * that make up `one` thing are undone all or none.
 */
export function formerFields(
  present: object,
  changes: Changes,
  one: string[] = [],
): { update: Record<string, unknown>; outcome: Outcome } {
  const fields = new Map(Object.entries(present))
  const all = Object.entries(changes)
  const stands = ([field, { to }]: [string, Change]) => isToldAs(fields.get(field), to)
  const oneStands = all.filter(([field]) => one.includes(field)).every(stands)
  const standing = all.filter((change) => (one.includes(change[0]) ? oneStands : stands(change)))
  const known = standing.filter(([, { from }]) => !isLost(from))
  const update = Object.fromEntries(known.map(([field, { from }]) => [field, from]))
  const outcome = asFarAsItStood(known.length, all.length)
  return {
    update,
    outcome: known.length < standing.length ? { ...outcome, kept: 'incomplete' } : outcome,
  }
}
