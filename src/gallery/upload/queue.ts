import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { ApiError } from '../base/error.ts'
import type { Picked } from './pick.ts'

/** A file on its way to the server. */
export interface Item extends Picked {
  /** Name, size and time, which identify the file. */
  key: string
  /** The ids of the tags that it gets besides those of the batch. */
  tags: string[]
  /** `refused` files would be refused again, `failed` ones may succeed. */
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'refused'
  /** Bytes that have left this device. */
  sent: number
  tries: number
  /** When the first attempt began, in milliseconds. */
  begun?: number
  /** The tags of the last attempt. */
  given?: string[]
  /** The file on the server that already had this content. */
  here?: Here
  /** Another file on the server that looks like it. */
  alike?: Alike
  /** Whether all of it was sent without an answer from the server, so that it may have arrived. */
  isUncertain?: boolean
  /** Why it did not arrive; absent if the page itself has a bug. */
  error?: ApiError
  /** When the next automatic attempt begins, in milliseconds. */
  again?: number
}

/** A file that the server already had. */
export interface Here {
  id: string
  isInTrash: boolean
  /** The ids of the tags that it had. */
  tags: string[]
  /** The owner's name; null for the caller's own file. */
  by: string | null
}

/** A file that looks like an uploaded one. */
export interface Alike {
  id: string
  name: string | null
  version: string
}

/**
 * Sends one file and returns its id on the server. Throws an ApiError, or the signal's reason when it
 * is aborted; anything else that it throws is a bug and belongs in the console.
 */
export type Send = (
  item: Item,
  watch: { signal: AbortSignal; onProgress(bytes: number): void },
) => Promise<string>

interface QueueOptions {
  send: Send
  /** Whether a file with this key was uploaded before. */
  isDone(key: string): boolean
  onDone(item: Item, id: string): void
  /**
   * While it is true, as without a connection, no upload begins, and lost ones don't count as attempts.
   */
  isHeld: ReadonlySignal<boolean>
}

/** Uploads files, three at a time. */
export interface Queue {
  items: readonly Item[]
  /** Incremented whenever an item changes. */
  version: ReadonlySignal<number>
  isPaused: Signal<boolean>
  /**
   * Adds files with tags of their own, and returns those that were skipped because they were uploaded
   * or listed before; a listed file that is still to be sent gets the tags, and belongs to both
   * folders.
   */
  add(files: Iterable<Picked>, tags?: string[]): Picked[]
  /** Stops the uploads that have not been sent completely; they restart when the queue resumes. */
  pause(): void
  goOn(): void
  /** Retries at once what has failed, or one item, even if it was refused. */
  retry(one?: Item): void
  /** Cancels an item. */
  drop(item: Item): void
  /** Removes the items that are neither waiting nor being sent. */
  clear(): void
  /** Must be called when code outside the queue has changed an item. */
  reportChange(): void
  /** Resolves when nothing is waiting or being sent any more. */
  settled(): Promise<void>
}

const AT_ONCE = 3
/** Milliseconds before each further attempt; after the last one the file has failed. */
const DELAYS = [2000, 8000, 30_000]

/** Returns a key that identifies a file, also after the page is reloaded. */
export function keyOf({ name, size, lastModified }: File): string {
  return `${name}|${size}|${lastModified}`
}

/** Creates a queue without files. */
export function createQueue({ send, isDone, onDone, isHeld }: QueueOptions): Queue {
  const items: Item[] = []
  const version = signal(0)
  const isPaused = signal(false)
  const byKey = new Map<string, Item>()
  const running = new Map<Item, AbortController>()
  const timers = new Map<Item, ReturnType<typeof setTimeout>>()
  const onSettled: (() => void)[] = []
  const change = () => {
    version.value++
  }

  const next = () => {
    for (const item of items) {
      if (isPaused.peek() || isHeld.peek() || running.size >= AT_ONCE) break
      if (item.state === 'waiting' && item.again === undefined) void run(item)
    }
    if (items.some(({ state }) => state === 'waiting' || state === 'sending')) return
    for (const report of onSettled.splice(0)) report()
  }

  const run = async (item: Item) => {
    const controller = new AbortController()
    running.set(item, controller)
    item.state = 'sending'
    item.sent = 0
    item.tries++
    item.begun ??= Date.now()
    item.error = undefined
    change()
    try {
      const id = await send(item, {
        signal: controller.signal,
        onProgress(bytes) {
          item.sent = bytes
          change()
        },
      })
      item.state = 'done'
      item.sent = item.file.size
      onDone(item, id)
    } catch (error) {
      if (item.sent >= item.file.size && !isAnswered(error)) item.isUncertain = true
      if (controller.signal.aborted) {
        item.state = 'waiting'
        item.tries--
      } else if (error instanceof ApiError) fail(item, error)
      else {
        item.state = 'failed'
        item.sent = 0
        throw error
      }
    } finally {
      running.delete(item)
      change()
      next()
    }
  }

  const fail = (item: Item, error: ApiError) => {
    item.error = error
    item.sent = 0
    if (error.status === 0 && isHeld.peek()) {
      item.state = 'waiting'
      item.tries--
      return
    }
    if (isFinal(error)) {
      item.state = 'refused'
      return
    }
    const wait = error.retryAfter ? error.retryAfter * 1000 : DELAYS[item.tries - 1]
    if (wait === undefined || item.tries > DELAYS.length || needsSomebody(error)) {
      item.state = 'failed'
      return
    }
    item.state = 'waiting'
    item.again = Date.now() + wait
    const timer = setTimeout(() => {
      resume(item)
      next()
    }, wait)
    timers.set(item, timer)
  }

  const resume = (item: Item) => {
    clearTimeout(timers.get(item))
    timers.delete(item)
    item.again = undefined
    change()
  }

  const remove = (gone: (item: Item) => boolean) => {
    for (const item of items.filter(gone)) {
      clearTimeout(timers.get(item))
      timers.delete(item)
      byKey.delete(item.key)
      running.get(item)?.abort()
      items.splice(items.indexOf(item), 1)
    }
    change()
    next()
  }

  isHeld.subscribe(next)

  return {
    items,
    version,
    isPaused,
    add(files, tags = []) {
      const skipped: Picked[] = []
      for (const one of files) {
        const { file, folders } = one
        const key = keyOf(file)
        const known = byKey.get(key)
        // A file that has arrived may have been deleted since.
        if (known?.state === 'done' && !isDone(key)) remove((other) => other === known)
        const item = byKey.get(key)
        if (item && item.state !== 'done') {
          item.tags = [...new Set([...item.tags, ...tags])]
          item.folders = [...new Set([...item.folders, ...folders])]
        }
        if (item || isDone(key)) skipped.push(one)
        else {
          const added: Item = { key, file, folders, tags, state: 'waiting', sent: 0, tries: 0 }
          byKey.set(key, added)
          items.push(added)
        }
      }
      change()
      next()
      return skipped
    },
    pause() {
      isPaused.value = true
      // The server stores a completely sent file in any case.
      for (const [item, controller] of running) {
        if (item.sent < item.file.size) controller.abort()
      }
    },
    goOn() {
      isPaused.value = false
      next()
    },
    retry(one) {
      for (const item of one ? [one] : items) {
        if (item.again !== undefined) resume(item)
        if (item.state !== 'failed' && !(one && item.state === 'refused')) continue
        item.state = 'waiting'
        item.tries = 0
      }
      change()
      next()
    },
    drop: (item) => remove((other) => other === item),
    clear: () => remove(({ state }) => state !== 'waiting' && state !== 'sending'),
    reportChange: change,
    settled() {
      return new Promise((resolve) => {
        onSettled.push(resolve)
        next()
      })
    },
  }
}

/** Whether the server itself has said that there is no such file. */
function isAnswered(error: unknown): boolean {
  return error instanceof ApiError && !['no_connection', 'unknown'].includes(error.code)
}

/** Whether each further attempt would fail because the file itself is wrong. */
function isFinal({ status, field }: ApiError): boolean {
  return [400, 413, 415].includes(status) || (status === 507 && field === 'file')
}

/** Whether the user or an admin must act first: grant a right, leave out a tag, free some space. */
function needsSomebody({ status }: ApiError): boolean {
  return [403, 404, 409, 507].includes(status)
}
