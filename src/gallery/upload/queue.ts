import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { ApiError } from '../base/error.ts'
import type { Picked } from './pick.ts'

/** A file on its way to the server. */
export interface Item extends Picked {
  /** Name, size and time, which tell it from others. */
  key: string
  /** Tags that it gets besides those of the batch, by their ids. */
  tags: string[]
  /** `refused` is of what will be refused again, `failed` of what may succeed. */
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'refused'
  /** Bytes that have left this device. */
  sent: number
  tries: number
  /** When it was tried first, in milliseconds. */
  begun?: number
  /** The tags that it was sent with last. */
  given?: string[]
  /** The file that had its content before. */
  here?: Here
  /** Whether all of it was sent and the server gave no answer, so that it may have arrived. */
  isInDoubt?: boolean
  /** Why it did not arrive; of a mistake of the page, there is none. */
  error?: ApiError
  /** When it is tried again by itself, in milliseconds. */
  again?: number
}

/** A file that the server had already. */
export interface Here {
  id: string
  isInTrash: boolean
  /** The tags that it had, by their ids. */
  tags: string[]
  /** Whose it is; null for one's own. */
  by: string | null
}

/**
 * What sends one file and returns the id that it has there; it throws an ApiError, and the signal's
 * reason when it is ended. What else it throws belongs to the console.
 */
export type Send = (
  item: Item,
  watch: { signal: AbortSignal; onProgress(bytes: number): void },
) => Promise<string>

interface QueueOptions {
  send: Send
  /** Whether a file of this key has arrived before. */
  isDone(key: string): boolean
  onDone(item: Item, id: string): void
  /** While it is true nothing is begun, as without a connection, and what gets lost is not counted. */
  isHeld: ReadonlySignal<boolean>
}

/** Files on their way, three at a time. */
export interface Queue {
  items: readonly Item[]
  /** Grows whenever an item changes. */
  version: ReadonlySignal<number>
  isPaused: Signal<boolean>
  /**
   * Adds files with tags of their own, and returns those that were skipped because they have arrived
   * or are here; of these, what is still to be sent gets the tags, and is of both folders.
   */
  add(files: Iterable<Picked>, tags?: string[]): Picked[]
  /** Stops those under way that have not left whole; they begin anew when it goes on. */
  pause(): void
  goOn(): void
  /** Tries again at once what has failed, or one item, also when it was refused. */
  retry(one?: Item): void
  /** Gives an item up. */
  drop(item: Item): void
  /** Forgets what is neither waiting nor under way: it has arrived, or is given up. */
  clear(): void
  /** Tells that an item was changed by somebody else. */
  tellChanged(): void
  /** Resolves when nothing is waiting or under way any more. */
  settled(): Promise<void>
}

/** How many are sent at a time. */
const AT_ONCE = 3
/** Milliseconds before each further try; then it has failed. */
const DELAYS = [2000, 8000, 30_000]

/** Returns what tells a file from others, also after the page was loaded anew. */
export function keyOf({ name, size, lastModified }: File): string {
  return `${name}|${size}|${lastModified}`
}

/** Returns a queue without files. */
export function createQueue({ send, isDone, onDone, isHeld }: QueueOptions): Queue {
  const items: Item[] = []
  const version = signal(0)
  const isPaused = signal(false)
  const byKey = new Map<string, Item>()
  const running = new Map<Item, AbortController>()
  const timers = new Map<Item, ReturnType<typeof setTimeout>>()
  const tellSettled: (() => void)[] = []
  const change = () => {
    version.value++
  }

  const next = () => {
    for (const item of items) {
      if (isPaused.peek() || isHeld.peek() || running.size >= AT_ONCE) break
      if (item.state === 'waiting' && item.again === undefined) void run(item)
    }
    if (items.some(({ state }) => state === 'waiting' || state === 'sending')) return
    for (const tell of tellSettled.splice(0)) tell()
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
      if (item.sent >= item.file.size && !isAnswered(error)) item.isInDoubt = true
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
        // What has arrived may have been deleted since.
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
      // Of what has left whole, the server makes a file all the same.
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
    tellChanged: change,
    settled() {
      return new Promise((resolve) => {
        tellSettled.push(resolve)
        next()
      })
    },
  }
}

/** Whether the server itself has said that it has no such file. */
function isAnswered(error: unknown): boolean {
  return error instanceof ApiError && !['no_connection', 'unknown'].includes(error.code)
}

/** Whether each further try would end the same, because it is the file that is wrong. */
function isFinal({ status, field }: ApiError): boolean {
  return [400, 413, 415].includes(status) || (status === 507 && field === 'file')
}

/** Whether somebody has to do something first: give a right, leave out a tag, make room. */
function needsSomebody({ status }: ApiError): boolean {
  return [403, 404, 409, 507].includes(status)
}
