/** A map that forgets what was not used lately when it grows beyond its limit. */
export interface RecentMap<Key, Value> {
  /** Returns the value of a key, which counts as a use. */
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
}

/**
 * Returns an empty map of entries that together weigh at most `limit`. Once half of that is new, what
 * has not been used since the last time is forgotten: a use costs one look-up, not a place in a queue.
 */
export function createRecentMap<Key, Value>(
  limit: number,
  weigh: (value: Value) => number,
): RecentMap<Key, Value> {
  let recent = new Map<Key, Value>()
  let former = new Map<Key, Value>()
  let weight = 0
  const add = (key: Key, value: Value) => {
    weight += weigh(value)
    if (weight > limit / 2) {
      former = recent
      recent = new Map()
      weight = weigh(value)
    }
    if (weight <= limit / 2) recent.set(key, value)
  }
  return {
    get(key) {
      const value = recent.get(key)
      if (value !== undefined) return value
      const known = former.get(key)
      if (known !== undefined) add(key, known)
      return known
    },
    set: add,
  }
}
