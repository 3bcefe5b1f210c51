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
  /** The file on the server, unless it is in the trash. */
  stored?: { id: string; version: string }
  /** Whether the server found its picture damaged. */
  isDamaged?: boolean
  /** Another file on the server that looks like it. */
  alike?: Alike | undefined
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

interface State extends QueueOptions {
  items: Item[]
  version: Signal<number>
  isPaused: Signal<boolean>
  byKey: Map<string, Item>
  running: Map<Item, AbortController>
  timers: Map<Item, ReturnType<typeof setTimeout>>
  onSettled: (() => void)[]
}

/** Creates a queue without files. */
export function createQueue(options: QueueOptions): Queue {
  const state: State = {
    ...options,
    items: [],
    version: signal(0),
    isPaused: signal(false),
    byKey: new Map(),
    running: new Map(),
    timers: new Map(),
    onSettled: [],
  }
  options.isHeld.subscribe(() => next(state))
  return {
    items: state.items,
    version: state.version,
    isPaused: state.isPaused,
    add(files, tags = []) {
      const skipped = [...files].filter((one) => !add(state, one, tags))
      change(state)
      next(state)
      return skipped
    },
    pause() {
      state.isPaused.value = true
      // The server stores a completely sent file in any case.
      for (const [item, controller] of state.running) {
        if (item.sent < item.file.size) controller.abort()
      }
    },
    goOn() {
      state.isPaused.value = false
      next(state)
    },
    retry: (one) => retry(state, one),
    drop: (item) => remove(state, (other) => other === item),
    clear: () => remove(state, (item) => item.state !== 'waiting' && item.state !== 'sending'),
    reportChange: () => change(state),
    settled: () =>
      new Promise((resolve) => {
        state.onSettled.push(resolve)
        next(state)
      }),
  }
}

function change({ version }: State): void {
  version.value++
}

// Adds a file; returns whether it was not uploaded or listed before.
function add(state: State, { file, folders }: Picked, tags: string[]): boolean {
  const { byKey, isDone } = state
  const key = keyOf(file)
  const known = byKey.get(key)
  // A file that has arrived may have been deleted since.
  if (known?.state === 'done' && !isDone(key)) remove(state, (other) => other === known)
  const item = byKey.get(key)
  if (item && item.state !== 'done') {
    item.tags = [...new Set([...item.tags, ...tags])]
    item.folders = [...new Set([...item.folders, ...folders])]
  }
  if (item || isDone(key)) return false
  const added: Item = { key, file, folders, tags, state: 'waiting', sent: 0, tries: 0 }
  byKey.set(key, added)
  state.items.push(added)
  return true
}

function next(state: State): void {
  for (const item of state.items) {
    if (state.isPaused.peek() || state.isHeld.peek() || state.running.size >= AT_ONCE) break
    if (item.state === 'waiting' && item.again === undefined) void run(state, item)
  }
  if (state.items.some((item) => item.state === 'waiting' || item.state === 'sending')) return
  for (const report of state.onSettled.splice(0)) report()
}

async function run(state: State, item: Item): Promise<void> {
  const controller = new AbortController()
  state.running.set(item, controller)
  item.state = 'sending'
  item.sent = 0
  item.tries++
  item.begun ??= Date.now()
  item.error = undefined
  change(state)
  try {
    const id = await state.send(item, {
      signal: controller.signal,
      onProgress(bytes) {
        item.sent = bytes
        change(state)
      },
    })
    item.state = 'done'
    item.sent = item.file.size
    state.onDone(item, id)
  } catch (error) {
    if (item.sent >= item.file.size && !isAnswered(error)) item.isUncertain = true
    if (controller.signal.aborted) {
      item.state = 'waiting'
      item.tries--
    } else if (error instanceof ApiError) fail(state, item, error)
    else {
      item.state = 'failed'
      item.sent = 0
      throw error
    }
  } finally {
    state.running.delete(item)
    change(state)
    next(state)
  }
}

function fail(state: State, item: Item, error: ApiError): void {
  item.error = error
  item.sent = 0
  if (error.status === 0 && state.isHeld.peek()) {
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
    resume(state, item)
    next(state)
  }, wait)
  state.timers.set(item, timer)
}

function resume(state: State, item: Item): void {
  clearTimeout(state.timers.get(item))
  state.timers.delete(item)
  item.again = undefined
  change(state)
}

function remove(state: State, gone: (item: Item) => boolean): void {
  for (const item of state.items.filter(gone)) {
    clearTimeout(state.timers.get(item))
    state.timers.delete(item)
    state.byKey.delete(item.key)
    state.running.get(item)?.abort()
    state.items.splice(state.items.indexOf(item), 1)
  }
  change(state)
  next(state)
}

function retry(state: State, one: Item | undefined): void {
  for (const item of one ? [one] : state.items) {
    if (item.again !== undefined) resume(state, item)
    if (item.state !== 'failed' && !(one && item.state === 'refused')) continue
    item.state = 'waiting'
    item.tries = 0
  }
  change(state)
  next(state)
}

/** Whether the server itself has said that there is no such file. */
function isAnswered(error: unknown): boolean {
  return error instanceof ApiError && !['no_connection', 'unknown'].includes(error.code)
}

/** Whether a new attempt makes sense: not for a file that the server will never accept. */
export function mayHelp({ state, error, again }: Item): boolean {
  const isHopeless = error !== undefined && [400, 413, 415].includes(error.status)
  return again !== undefined || state === 'failed' || (state === 'refused' && !isHopeless)
}

/** Whether each further attempt would fail because the file itself is wrong. */
function isFinal({ status, field }: ApiError): boolean {
  return [400, 413, 415].includes(status) || (status === 507 && field === 'file')
}

/** Whether the user or an admin must act first: grant a right, leave out a tag, free some space. */
function needsSomebody({ status }: ApiError): boolean {
  return [403, 404, 409, 507].includes(status)
}
