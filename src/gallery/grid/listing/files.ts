import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { ApiError } from '../../base/error.ts'
import type { Cell, Listing } from '../../base/listing.ts'
import { returns } from '../../base/returning.ts'
import { undone } from '../../base/undo/undo.ts'
import { type Bucket, withoutFiles } from '../engine.ts'
import { blockAt, createBlocks } from './blocks.ts'

import { cellOf } from './columns.ts'
import { dayRange, findPosition, idsBetween, type Known, loadedPosition } from './ranges.ts'
import { hasDays, sourceOf } from './source.ts'

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

/** Opens the listing that `wanted` returns, and follows its signals; null pauses it. */
export function openFiles(wanted: () => Listing | null): OpenFiles {
  const shown = signal<Shown | null>(null)
  const buckets = signal<readonly Bucket[] | null>(null)
  const error = signal<ApiError | undefined>()
  const revision = signal(0)
  const watchers = new Set<(index: number) => void>()
  let reading = 0
  let looked: [number, number] = [0, 0]
  let lastRefresh = Number.NEGATIVE_INFINITY

  // Reads and shows a listing; of two readings the one that began later wins.
  const read = async (listing: Listing, prepare?: (next: Shown) => Promise<void>) => {
    const own = ++reading
    try {
      const source = sourceOf(listing)
      const [{ total, buckets: months, spans = months }, head] = await Promise.all([
        source.timeline(),
        source.cells({ limit: HEAD }),
      ])
      let isShown = () => false
      const changed = (index: number | null) => {
        if (!isShown()) return
        if (index === null) outdated()
        else notify(index)
      }
      const blocks = createBlocks(source, spans, changed, { head, total })
      const next: Shown = { listing, source, buckets: months, blocks }
      isShown = () => shown.peek() === next
      await prepare?.(next)
      if (own !== reading) return
      batch(() => {
        shown.value = next
        buckets.value = months
        error.value = undefined
        revision.value++
      })
    } catch (reason) {
      // The old content stays visible, and the caller gets the error.
      if (!(reason instanceof ApiError) || shown.peek()) throw reason
      if (own === reading) error.value = reason
    }
  }

  const notify = (index: number) => {
    batch(() => {
      revision.value++
      for (const changed of watchers) changed(index)
    })
  }

  const refresh = async () => {
    const { listing } = shown.peek() ?? {}
    if (!listing) return
    lastRefresh = Date.now()
    await read(listing, async ({ blocks }) => {
      const [first, last] = looked.map((position) => blockAt(blocks.list, position))
      for (let index = first!; index <= last!; index++) await blocks.load(index)
    })
  }

  const clear = () => {
    shown.value = null
    buckets.value = null
  }

  const outdated = () => {
    if (Date.now() - lastRefresh > PATIENCE) refresh().catch(ignoreFailure)
  }

  const current = async (): Promise<Shown> => {
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

  let isPaused = false
  const stop = effect(() => {
    const listing = wanted()
    const wasPaused = isPaused
    isPaused = !listing
    if (!listing) return
    if (isSame(listing, shown.peek()?.listing)) {
      // Changes made on another screen are not visible here yet.
      if (wasPaused) refresh().catch(ignoreFailure)
      return
    }
    // Another listing's files must not show under this one's name.
    if (shown.peek()) batch(clear)
    error.value = undefined
    looked = [0, 0]
    void read(listing)
  })

  let before = { undone: undone.peek(), returns: returns.peek() }
  const stopChanges = effect(() => {
    const now = { undone: undone.value, returns: returns.value }
    if (now.undone === before.undone && now.returns === before.returns) return
    before = now
    // An undo or a change elsewhere may have added or removed files.
    refresh().catch(ignoreFailure)
  })

  const peek = (position: number): Cell | null => {
    void revision.value
    const { list } = shown.value?.blocks ?? { list: [] }
    const block = list[blockAt(list, position)]
    const index = position - (block?.first ?? 0)
    return block?.files && index >= 0 && index < block.count ? cellOf(block.files, index) : null
  }
  const at = async (position: number): Promise<Cell | null> => {
    if (position < 0) return null
    const { blocks } = await current()
    await blocks.load(blockAt(blocks.list, position))
    return peek(position)
  }

  return {
    shown,
    error,
    total: computed(() => {
      void revision.value
      return shown.value ? shown.value.blocks.total() : null
    }),
    at,
    peek,
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
    locate: async (id) => findPosition(await current(), id),
    async neighbours(id) {
      const now = await current()
      const position = loadedPosition(now, id)
      if (position !== null) {
        const [previous, next] = await Promise.all([at(position - 1), at(position + 1)])
        return { previous, next }
      }
      const [before, behind] = await Promise.all([
        now.source.cells({ anchor: id, direction: 'backward', limit: 2 }),
        now.source.cells({ anchor: id, limit: 2 }),
      ])
      return {
        previous: before.ids.length > 1 ? cellOf(before, 0) : null,
        next: behind.ids.length > 1 ? cellOf(behind, 1) : null,
      }
    },
    ids: async (from, end) => idsBetween(await current(), from, end),
    async idsOfDay(position) {
      const now = await current()
      return idsBetween(now, ...(await dayRange(now, position)))
    },
    buckets,
    reopen() {
      const listing = wanted()
      if (listing) void read(listing)
    },
    remove(ids) {
      const now = shown.peek()
      if (!now) return
      const gone = new Set(ids)
      const times = now.blocks.remove(gone)
      if (now.buckets) buckets.value = now.buckets = withoutFiles(now.buckets, times)
      // Removed files in blocks that aren't loaded are still counted.
      if (times.length < gone.size) refresh().catch(ignoreFailure)
    },
    async renew(ids) {
      await shown.peek()?.blocks.renew(new Set(ids))
    },
    refresh,
    watch(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    look(from, end) {
      looked = [from, end]
    },
    close() {
      stop()
      stopChanges()
    },
  }
}

function isSame(a: Listing, b: Listing | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** The old content stays visible, and the next change retries. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}

/** Returns whether the listing has days and months. */
export function isDated({ listing }: Shown): boolean {
  return hasDays(listing)
}
