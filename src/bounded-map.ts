/** A map that forgets the least recently used entries when it grows beyond its limit. */
interface BoundedMap<Key, Value> {
  /** Returns the value of a key, which counts as a use. */
  get(key: Key): Value | undefined
  has(key: Key): boolean
  set(key: Key, value: Value): void
  delete(key: Key): void
  /** Returns the least recently used entry. */
  oldest(): [Key, Value] | undefined
}

/**
 * Returns an empty map of at most `limit` entries or, with `weigh`, of entries that together weigh
 * at most `limit`; a single entry that is heavier is not kept.
 */
export function createBoundedMap<Key, Value>(
  limit: number,
  weigh: (value: Value) => number = () => 1,
): BoundedMap<Key, Value> {
  const entries = new Map<Key, Value>()
  let weight = 0
  const remove = (key: Key) => {
    const value = entries.get(key)
    if (entries.delete(key)) weight -= weigh(value as Value)
  }
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    has: (key) => entries.has(key),
    set(key, value) {
      remove(key)
      entries.set(key, value)
      weight += weigh(value)
      for (const [oldest] of entries) {
        if (weight <= limit) break
        remove(oldest)
      }
    },
    delete: remove,
    oldest: () => entries.entries().next().value,
  }
}
