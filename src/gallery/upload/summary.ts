import type { Item } from './queue.ts'

/** The progress of the files of a queue. */
export interface Summary {
  total: number
  done: number
  /** How many of the finished ones were on the server before. */
  here: number
  /** How many of those are in the trash. */
  trashed: number
  /** How many of those that arrived seem damaged. */
  damaged: number
  /** How many have been sent and are being read by the server, when nothing else is left to send. */
  reading: number
  failed: number
  refused: number
  /** Whether something is waiting or being sent. */
  isActive: boolean
  /** Bytes sent so far, and bytes of everything that is not cancelled. */
  sent: number
  bytes: number
}

export function summaryOf(items: readonly Item[]): Summary {
  const count = { waiting: 0, sending: 0, done: 0, failed: 0, refused: 0 }
  let [sent, bytes, here, trashed, damaged, reading] = [0, 0, 0, 0, 0, 0]
  for (const { state, sent: ofItem, file, here: before, isDamaged } of items) {
    count[state]++
    if (isDamaged) damaged++
    if (state === 'sending' && ofItem >= file.size) reading++
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
    damaged,
    reading: waiting === 0 && reading === sending ? reading : 0,
    failed,
    refused,
    isActive: waiting + sending > 0,
    sent,
    bytes,
  }
}

/**
 * How many of the last files of a list are compared with the library, by one request each: those that
 * stay in sight when it is done. Thousands of requests would hold up the uploads themselves.
 */
const COMPARED = 50

/** Whether the server is asked what looks like an uploaded file. */
export function isAskedAbout(item: Item, items: readonly Item[]): boolean {
  return items.slice(-COMPARED).includes(item)
}

const ORDER = ['sending', 'failed', 'refused', 'waiting', 'done'] as const

/**
 * Returns the items to show, at most `most`: the most important first, the newest finished ones last.
 */
export function shownOf(items: readonly Item[], most: number): Item[] {
  const shown: Item[] = []
  for (const state of ORDER) {
    const alike = items.filter((item) => item.state === state)
    shown.push(...(state === 'done' ? alike.reverse() : alike).slice(0, most - shown.length))
  }
  return shown
}
