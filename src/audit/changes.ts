/**
 * Returns the fields that differ, each with its value before and after, for the details of an audit
 * entry; null when none differs.
 */
export function changesBetween<Fields extends Record<string, unknown>>(
  before: Fields,
  after: Fields,
): Record<string, { from: unknown; to: unknown }> | null {
  const changes = Object.entries(after)
    .filter(([field, value]) => JSON.stringify(before[field]) !== JSON.stringify(value))
    .map(([field, value]) => [field, { from: before[field], to: value }])
  return changes.length > 0 ? Object.fromEntries(changes) : null
}
