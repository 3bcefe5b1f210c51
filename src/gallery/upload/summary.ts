import type { Item } from './queue.ts'

/** How far the files of a queue are. */
export interface Summary {
  total: number
  done: number
  /** How many of these were here already. */
  here: number
  /** How many of those are in the trash. */
  trashed: number
  failed: number
  refused: number
  /** Whether something is waiting or under way. */
  isActive: boolean
  /** Bytes that have left, and of all that is not given up. */
  sent: number
  bytes: number
}

/** Returns how far the files are. */
export function summaryOf(items: readonly Item[]): Summary {
  const count = { waiting: 0, sending: 0, done: 0, failed: 0, refused: 0 }
  let [sent, bytes, here, trashed] = [0, 0, 0, 0]
  for (const { state, sent: ofItem, file, here: before } of items) {
    count[state]++
    if (before) here++
    if (before?.isInTrash) trashed++
    if (state === 'refused') continue
    sent += Math.min(ofItem, file.size)
    bytes += file.size
  }
  const { done, failed, refused, waiting, sending } = count
  return {
    total: items.length,
    done,
    here,
    trashed,
    failed,
    refused,
    isActive: waiting + sending > 0,
    sent,
    bytes,
  }
}

const ORDER = ['sending', 'failed', 'refused', 'waiting', 'done'] as const

/** Returns the items that are shown: at most so many, what matters most first, the newest done last. */
export function shownOf(items: readonly Item[], most: number): Item[] {
  const shown: Item[] = []
  for (const state of ORDER) {
    const alike = items.filter((item) => item.state === state)
    shown.push(...(state === 'done' ? alike.reverse() : alike).slice(0, most - shown.length))
  }
  return shown
}
