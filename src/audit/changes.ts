/** A value before and after a change. */
export interface Change<T = unknown> {
  from: T
  to: T
}

/** The fields that a change gave another value, as the API shows them. */
export type Changes = Record<string, Change>

/**
 * Returns the fields that differ, each with its value before and after; null when none differs. A
 * field is compared as JSON.
 */
export function changesBetween<Fields extends Record<string, unknown>>(
  before: Fields,
  after: Fields,
): Changes | null {
  const changes = Object.entries(after)
    .filter(([field, value]) => JSON.stringify(before[field]) !== JSON.stringify(value))
    .map(([field, value]) => [field, { from: before[field], to: value }])
  return changes.length > 0 ? Object.fromEntries(changes) : null
}
