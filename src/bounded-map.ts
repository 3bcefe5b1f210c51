/** A map that forgets the least recently used entries when it grows beyond its limit. */
export interface BoundedMap<Key, Value> {
  /** Returns the value of a key, which counts as a use, and weighs it again: it may have grown. */
  get(key: Key): Value | undefined
  has(key: Key): boolean
  set(key: Key, value: Value): void
  delete(key: Key): void
  keys(): IterableIterator<Key>
  /** Returns the least recently used entry. */
  oldest(): [Key, Value] | undefined
  /** Returns how much its entries weigh. */
  weight(): number
}

/** What several maps may weigh together: of all of them, what was used least recently goes first. */
interface Budget {
  readonly limit: number
  map<Key, Value>(weigh: (value: Value, key: Key) => number): BoundedMap<Key, Value>
  /** Returns how much the entries of its maps weigh. */
  weight(): number
}

/**
 * Returns an empty map of at most `limit` entries or, with `weigh`, of entries that together weigh
 * at most `limit`; one that is heavier stays alone until another one is used.
 */
export function createBoundedMap<Key, Value>(
  limit: number,
  weigh: (value: Value) => number = () => 1,
): BoundedMap<Key, Value> {
  return createBudget(limit).map(weigh)
}

/** The entries of one map by their keys, and how much they weigh. */
interface Entries {
  byKey: Map<unknown, Entry>
  weight: number
}

interface Entry extends Link {
  key: unknown
  value: unknown
  weight: number
  of: Entries
}

/** An entry's place among those that were used before it and after; the ends meet in one that is none. */
interface Link {
  before: Link
  after: Link
}

function unlink({ before, after }: Link): void {
  before.after = after
  after.before = before
}

function linkBefore(next: Link, link: Link): void {
  link.before = next.before
  link.after = next
  next.before.after = link
  next.before = link
}

/** Returns a budget of `limit`; a single entry that is heavier stays alone until another one is used. */
export function createBudget(limit: number): Budget {
  /**
   * Of all maps, the least recently used comes after it, the last used before it. A Set would keep the order, too,
   * but goes past the places of all that have left since it was last tidied to find its first.
   */
  const ends = {} as Link
  ends.before = ends.after = ends
  let total = 0
  const weighAs = (entry: Entry, weight: number) => {
    total += weight - entry.weight
    entry.of.weight += weight - entry.weight
    entry.weight = weight
  }
  const remove = (entry: Entry | undefined) => {
    if (!entry) return
    weighAs(entry, 0)
    unlink(entry)
    entry.of.byKey.delete(entry.key)
  }
  const use = (entry: Entry, weight: number) => {
    unlink(entry)
    linkBefore(ends, entry)
    weighAs(entry, weight)
    // What was taken a moment ago is needed, however heavy it has become.
    while (total > limit && ends.after !== entry) remove(ends.after as Entry)
  }
  return {
    limit,
    weight: () => total,
    map<Key, Value>(weigh: (value: Value, key: Key) => number): BoundedMap<Key, Value> {
      const own: Entries = { byKey: new Map(), weight: 0 }
      return {
        get(key) {
          const entry = own.byKey.get(key)
          if (!entry) return undefined
          const value = entry.value as Value
          use(entry, weigh(value, key))
          return value
        },
        has: (key) => own.byKey.has(key),
        set(key, value) {
          remove(own.byKey.get(key))
          const entry: Entry = { key, value, weight: 0, of: own, before: ends, after: ends }
          linkBefore(ends, entry)
          own.byKey.set(key, entry)
          use(entry, weigh(value, key))
        },
        delete: (key) => remove(own.byKey.get(key)),
        keys: () => own.byKey.keys() as IterableIterator<Key>,
        oldest() {
          for (let { after } = ends; after !== ends; after = after.after) {
            const { of, key, value } = after as Entry
            if (of === own) return [key as Key, value as Value]
          }
          return undefined
        },
        weight: () => own.weight,
      }
    },
  }
}
