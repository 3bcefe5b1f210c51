import { createStore, get, set } from 'idb-keyval'

/** How many files are remembered; the oldest are forgotten. */
const MOST = 200_000
/** Milliseconds between two writings. */
const PAUSE = 1000

/** The files that have arrived from this browser, by their keys, also after a reload. */
export interface Arrived {
  has(key: string): boolean
  add(key: string): void
}

/** Returns what has arrived of a user's files; without the browser's database, of this page only. */
export async function openArrived(userId: number): Promise<Arrived> {
  const name = `user ${userId}`
  const keys = new Set<string>()
  let store: ReturnType<typeof createStore> | undefined
  try {
    store = createStore('tagstead-uploads', 'arrived')
    for (const key of (await get<string[]>(name, store)) ?? []) keys.add(key)
  } catch {
    // A private window may have no database; then files are told apart until it is closed.
  }
  let isPlanned = false
  const write = () => {
    isPlanned = false
    const newest = [...keys].slice(-MOST)
    if (store) set(name, newest, store).catch(() => {})
  }
  return {
    has: (key) => keys.has(key),
    add(key) {
      keys.add(key)
      if (isPlanned) return
      isPlanned = true
      setTimeout(write, PAUSE)
    },
  }
}
