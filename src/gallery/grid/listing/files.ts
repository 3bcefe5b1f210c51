import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { ApiError } from '../../base/error.ts'
import type { Cell, Listing } from '../../base/listing.ts'
import { pictureOf, withFilms } from '../../base/pairs.ts'
import { changedElsewhere, floods, returns } from '../../base/returning.ts'
import { undone } from '../../base/undo/undo.ts'
import { type Bucket, withoutFiles } from '../engine.ts'
import { blockAt, createBlocks } from './blocks.ts'
import { cellOf } from './columns.ts'
import { loadedPosition } from './loaded.ts'
import type { Known } from './ranges.ts'
import { sourceOf } from './source.ts'

/** The files of a listing, which are loaded when a user looks at them. */
export interface Files {
  /** The number of files; null until it is known. */
  readonly total: ReadonlySignal<number | null>
  /** Why the listing could not be read. */
  readonly error: ReadonlySignal<ApiError | undefined>
  /** The file at a position; null after the last one. Throws an ApiError. */
  at(position: number): Promise<Cell | null>
  /**
   * The loaded file at a position; null if it is not loaded. Follows changes where signals are read.
   */
  peek(position: number): Cell | null
  /** The position of a loaded file, null otherwise. Follows changes where signals are read. */
  positionOf(id: string): number | null
  /** The flags of all loaded files, by their ids. */
  flags(): ReadonlyMap<string, number>
  /** Loads a file and returns its position; null if the listing doesn't contain it. */
  locate(id: string): Promise<number | null>
  /** The files before and after a file, null at the ends. Throws an ApiError. */
  neighbours(id: string): Promise<{ previous: Cell | null; next: Cell | null }>
  /** The ids of the files from a position to before another, or to the end. Throws an ApiError. */
  ids(from: number, end?: number): Promise<string[]>
  /** Removes files that are gone or no longer in the listing. */
  remove(ids: Iterable<string>): void
  /** Reads changed files again; removes those that left the listing. Throws an ApiError. */
  renew(ids: Iterable<string>): Promise<void>
  /** Reads the listing again, and shows it when it is complete. Throws an ApiError. */
  refresh(): Promise<void>
}

/** The listing that is shown, with what is loaded of it. */
export interface Shown extends Known {
  listing: Listing
}

/** Files, with what the grid needs to show them. */
export interface OpenFiles extends Files {
  readonly shown: ReadonlySignal<Shown | null>
  /** The months; null for sorts without months. */
  readonly buckets: ReadonlySignal<readonly Bucket[] | null>
  /** The ids of the files of a loaded file's day. Throws an ApiError. */
  idsOfDay(position: number): Promise<string[]>
  /** Retries a listing that could not be read. */
  reopen(): void
  /** Calls `changed` with the index of each shown block that is loaded, dropped or changed. */
  watch(changed: (index: number) => void): () => void
  /** Sets the positions in view, which a refresh loads before it shows anything. */
  look(from: number, end: number): void
  close(): void
}

/** Milliseconds between two readings of a timeline that was out of date. */
const PATIENCE = 10_000
const HEAD = 400

interface State {
  shown: Signal<Shown | null>
  buckets: Signal<readonly Bucket[] | null>
  error: Signal<ApiError | undefined>
  /** Incremented whenever something was loaded, dropped or changed. */
  revision: Signal<number>
  watchers: Set<(index: number) => void>
  /** Counts the readings; of two, the one that began later wins. */
  reading: number
  /** The positions in view. */
  looked: [number, number]
  lastRefresh: number
  soon?: ReturnType<typeof setTimeout> | undefined
  /** The files that a change made here has removed, or whose blocks aren't loaded, until the server reports it too. */
  left: Set<string>
  /** The files that were removed here since the latest reading began, whose answer may still have them. */
  removed: Set<string>
}

/** Opens the listing that `wanted` returns, and follows its signals; null pauses it. */
export function openFiles(wanted: () => Listing | null): OpenFiles {
  const state: State = {
    shown: signal(null),
    buckets: signal(null),
    error: signal<ApiError>(),
    revision: signal(0),
    watchers: new Set(),
    reading: 0,
    looked: [0, 0],
    lastRefresh: Number.NEGATIVE_INFINITY,
    left: new Set(),
    removed: new Set(),
  }
  const { shown, buckets, error, revision, watchers } = state
  const stops = [followWanted(state, wanted), followChanges(state)]
  return {
    shown,
    buckets,
    error,
    total: computed(() => {
      void revision.value
      return shown.value ? shown.value.blocks.total() : null
    }),
    at: (position) => at(state, position),
    peek: (position) => peek(state, position),
    positionOf(id) {
      void revision.value
      return shown.value && loadedPosition(shown.value, id)
    },
    flags() {
      const { list } = shown.peek()?.blocks ?? { list: [] }
      return new Map(
        list.flatMap(({ files }) => files?.ids.map((id, at) => [id, files.f[at]!]) ?? []),
      )
    },
    async locate(id) {
      const { findPosition } = await import('./ranges.ts').catch(lost)
      return findPosition(await current(state), id)
    },
    neighbours: (id) => neighbours(state, id),
    async ids(from, end) {
      const { idsBetween } = await import('./ranges.ts').catch(lost)
      return idsBetween(await current(state), from, end)
    },
    async idsOfDay(position) {
      const now = await current(state)
      const { dayRange, idsBetween } = await import('./ranges.ts').catch(lost)
      return idsBetween(now, ...(await dayRange(now, position)))
    },
    reopen() {
      const listing = wanted()
      if (listing) void read(state, listing)
    },
    remove: (ids) => remove(state, new Set(ids)),
    renew: (ids) => renew(state, new Set(ids)),
    refresh: () => refresh(state),
    watch(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    look(from, end) {
      state.looked = [from, end]
    },
    close() {
      for (const stop of stops) stop()
      clearTimeout(state.soon)
    },
  }
}

async function read(
  state: State,
  listing: Listing,
  prepare?: (next: Shown) => Promise<void>,
): Promise<void> {
  const { shown, buckets, error, revision } = state
  const own = ++state.reading
  state.removed.clear()
  try {
    const source = sourceOf(listing)
    const [{ total, buckets: months, spans = months }, head] = await Promise.all([
      source.timeline(),
      source.cells({ limit: HEAD }),
    ])
    let isShown = () => false
    const changed = (index: number | null) => {
      if (!isShown()) return
      if (index === null) outdated(state)
      else notify(state, index)
    }
    const blocks = createBlocks(source, spans, changed, { head, total })
    const next: Shown = { listing, source, buckets: months, blocks }
    isShown = () => shown.peek() === next
    await prepare?.(next)
    if (own !== state.reading) return
    takeOut(next, state.removed)
    batch(() => {
      shown.value = next
      buckets.value = next.buckets
      error.value = undefined
      revision.value++
      state.left.clear()
    })
  } catch (reason) {
    // The old content stays visible, and the caller gets the error.
    if (!(reason instanceof ApiError) || shown.peek()) throw reason
    if (own === state.reading) error.value = reason
  }
}

function notify({ revision, watchers }: State, index: number): void {
  batch(() => {
    revision.value++
    for (const changed of watchers) changed(index)
  })
}

async function refresh(state: State): Promise<void> {
  const { listing } = state.shown.peek() ?? {}
  if (!listing) return
  state.lastRefresh = Date.now()
  await read(state, listing, async ({ blocks }) => {
    const [first, last] = state.looked.map((position) => blockAt(blocks.list, position))
    for (let index = first!; index <= last!; index++) await blocks.load(index)
  })
}

function outdated(state: State): void {
  if (Date.now() - state.lastRefresh > PATIENCE) refresh(state).catch(ignoreFailure)
}

/** Reads the listing that `wanted` returns, and each that follows it. */
function followWanted(state: State, wanted: () => Listing | null): () => void {
  const { shown, buckets } = state
  let isPaused = false
  return effect(() => {
    const listing = wanted()
    const wasPaused = isPaused
    isPaused = !listing
    if (!listing) return
    if (isSame(listing, shown.peek()?.listing)) {
      // Changes made on another screen are not visible here yet.
      if (wasPaused) refresh(state).catch(ignoreFailure)
      return
    }
    // Another listing's files must not show under this one's name.
    if (shown.peek()) {
      batch(() => {
        shown.value = null
        buckets.value = null
      })
    }
    state.error.value = undefined
    state.looked = [0, 0]
    void read(state, listing)
  })
}

/** An undo or a change elsewhere may have added or removed files. */
function followChanges(state: State): () => void {
  let before: readonly unknown[] = []
  return effect(() => {
    const ids = changedElsewhere.value
    const now = [ids, undone.value, returns.value, floods.value]
    const [areNamed, ...areOthers] = now.map((one, at) => before.length > 0 && one !== before[at])
    before = now
    if (areOthers.includes(true)) refresh(state).catch(ignoreFailure)
    else if (areNamed) readChanged(state, ids).catch(ignoreFailure)
  })
}

/** Reads loaded files again, and soon the whole listing if one of the others has come, or one has left its place. */
async function readChanged(state: State, ids: readonly string[]): Promise<void> {
  const now = state.shown.peek()
  if (!now) return
  const others = ids.filter((id) => !state.left.delete(id))
  await now.blocks.renew(new Set(others.flatMap((id) => cellOfFile(now, id) ?? [])))
  // A film that was taken from its picture meanwhile has no cell yet.
  if (others.every((id) => cellOfFile(now, id) !== null)) return
  const rest = Math.max(0, state.lastRefresh + PATIENCE - Date.now())
  state.soon ??= setTimeout(() => {
    state.soon = undefined
    refresh(state).catch(ignoreFailure)
  }, rest)
}

/** Returns the id of the loaded cell that shows a file: its own or, of a film, that of its picture. */
function cellOfFile(now: Shown, id: string): string | null {
  const shown = [id, pictureOf(id) ?? id]
  return shown.find((one) => loadedPosition(now, one) !== null) ?? null
}

async function current({ shown, error }: State): Promise<Shown> {
  const there = shown.peek()
  if (there) return there
  return new Promise((resolve, reject) => {
    const stop = effect(() => {
      const [now, failed] = [shown.value, error.value]
      if (!now && !failed) return
      queueMicrotask(() => stop())
      if (now) resolve(now)
      else reject(failed)
    })
  })
}

function peek({ shown, revision }: State, position: number): Cell | null {
  void revision.value
  const { list } = shown.value?.blocks ?? { list: [] }
  const block = list[blockAt(list, position)]
  const index = position - (block?.first ?? 0)
  return block?.files && index >= 0 && index < block.count ? cellOf(block.files, index) : null
}

async function at(state: State, position: number): Promise<Cell | null> {
  if (position < 0) return null
  const { blocks } = await current(state)
  await blocks.load(blockAt(blocks.list, position))
  return peek(state, position)
}

async function neighbours(state: State, id: string) {
  const now = await current(state)
  const position = loadedPosition(now, id)
  if (position === null) {
    const { readNeighbours } = await import('./ranges.ts').catch(lost)
    return readNeighbours(now, id)
  }
  const [previous, next] = await Promise.all([at(state, position - 1), at(state, position + 1)])
  return { previous, next }
}

async function renew(state: State, ids: Set<string>): Promise<void> {
  const now = state.shown.peek()
  if (!now) return
  await now.blocks.renew(ids)
  for (const id of withFilms([...ids])) if (cellOfFile(now, id) === null) state.left.add(id)
}

function remove(state: State, gone: Set<string>): void {
  const now = state.shown.peek()
  if (!now) return
  for (const id of withFilms([...gone])) state.left.add(id)
  for (const id of gone) state.removed.add(id)
  const count = takeOut(now, gone)
  state.buckets.value = now.buckets
  // Removed files in blocks that aren't loaded are still counted.
  if (count < gone.size) refresh(state).catch(ignoreFailure)
}

/** Removes files from the loaded blocks, and returns how many these had. */
function takeOut(from: Shown, gone: ReadonlySet<string>): number {
  const times = from.blocks.remove(gone)
  if (from.buckets) from.buckets = withoutFiles(from.buckets, times)
  return times.length
}

// Where its script can't be loaded, neither can what it asks for.
function lost(): never {
  throw new ApiError(0, 'no_connection')
}

function isSame(a: Listing, b: Listing | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** The old content stays visible, and the next change retries. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}
