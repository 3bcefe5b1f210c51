import type { Item } from './queue.ts'

/** How far the files of a queue are. */
export interface Summary {
  total: number
  done: number
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
  let [sent, bytes] = [0, 0]
  for (const { state, sent: ofItem, file } of items) {
    count[state]++
    if (state === 'refused') continue
    sent += Math.min(ofItem, file.size)
    bytes += file.size
  }
  const { done, failed, refused, waiting, sending } = count
  return {
    total: items.length,
    done,
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

/** Milliseconds over which the pace is taken. */
const SPAN = 10_000

/** Measures how quickly bytes leave. */
interface Pace {
  /** Notes how many bytes have left in all; returns bytes a second, or null when it is too early. */
  note(sent: number, now: number): number | null
}

/** Returns a pace without a past. */
export function createPace(): Pace {
  const notes: { at: number; sent: number }[] = []
  return {
    note(sent, at) {
      // What failed is counted anew.
      if (sent < (notes.at(-1)?.sent ?? 0)) notes.length = 0
      notes.push({ at, sent })
      while (notes.length > 2 && notes[0]!.at < at - SPAN) notes.shift()
      const [first] = notes
      const elapsed = at - first!.at
      return elapsed < 1000 ? null : ((sent - first!.sent) / elapsed) * 1000
    },
  }
}
