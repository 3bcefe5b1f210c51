export interface Change<T = unknown> {
  from: T
  to: T
}

/** The fields whose values a change replaced, in the API's form. */
export type Changes = Record<string, Change>

/**
 * Returns the fields that differ, each with its value before and after; null when none differs. A field is compared as
 * JSON.
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
