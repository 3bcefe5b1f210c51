/** Counts something once more. */
export function count<K>(counts: Map<K, number>, what: K): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
