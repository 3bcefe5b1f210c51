import { createStore, delMany, entries } from 'idb-keyval'

/** The most files that are stored; the oldest are evicted. */
const MOST = 200_000

/** The files that this browser has uploaded, by their keys; they survive a reload. */
export interface Arrived {
  /** Returns the id of a file on the server; undefined if it was not uploaded. */
  idOf(key: string): string | undefined
  /** Whether a file of this browser has this id. */
  holds(id: string): boolean
  add(key: string, id: string): void
  /** Evicts files that are no longer on the server, by their ids. */
  evict(gone: string[]): void
}

/** Returns the uploaded files of a user; without the browser's database, only those of this page. */
export async function openArrived(userId: number): Promise<Arrived> {
  const ids = new Map<string, string>()
  let store: ReturnType<typeof createStore> | undefined
  try {
    store = createStore(`tagstead-uploads-${userId}`, 'arrived')
    for (const [key, id] of await entries<string, string>(store)) ids.set(key, id)
    await evictOldest(ids, store)
  } catch {
    // A private window may have no database; then files are recognized until it is closed.
    store = undefined
  }
  const known = new Set(ids.values())
  return {
    idOf: (key) => ids.get(key),
    holds: (id) => known.has(id),
    add(key, id) {
      ids.set(key, id)
      known.add(id)
      store?.('readwrite', (objects) => {
        objects.put(id, key)
        // An explicit commit completes even if the page is left now.
        objects.transaction.commit()
      }).catch(() => {})
    },
    evict(gone) {
      const lost = new Set(gone)
      // Several files here may have the same content.
      const evicted = [...ids].filter(([, id]) => lost.has(id)).map(([key]) => key)
      for (const key of evicted) ids.delete(key)
      if (store) delMany(evicted, store).catch(() => {})
    },
  }
}

async function evictOldest(
  ids: Map<string, string>,
  store: ReturnType<typeof createStore>,
): Promise<void> {
  if (ids.size <= MOST) return
  // Ids ascend in the order of arrival.
  const keys = [...ids.keys()].sort((a, b) => (ids.get(a)! < ids.get(b)! ? -1 : 1))
  const oldest = keys.slice(0, -MOST)
  for (const key of oldest) ids.delete(key)
  await delMany(oldest, store)
}
