import { type Bucket, planSpans, type Span } from '../engine.ts'
import { type CellPage, type Columns, countDays, pick, slice, sumOfRatios } from './columns.ts'

export interface CellQuery {
  cursor?: string
  anchor?: string
  direction?: 'forward' | 'backward'
  limit: number
}

/** How a listing is read. Its functions throw what the request throws. */
export interface Source {
  cells(query: CellQuery): Promise<CellPage>
}

export interface Block extends Span {
  files: Columns | null
  /** The next file, if the server returned it. */
  follower?: string | undefined
}

/** The most files per request: two blocks. */
const MOST = 800
/** The most blocks that stay loaded. */
const MOST_LOADED = 100

/** The blocks of a listing; only those that were looked at are loaded. */
export interface Blocks {
  readonly list: readonly Block[]
  /** The number of files; an estimate until all are known. */
  total(): number
  /** The position after the last file that is known. */
  end(): number
  /** Loads a block, and those between it and the nearest known beginning. */
  load(index: number): Promise<void>
  /** Drops the blocks farthest from `index` if more than 100 are loaded. */
  dropFar(index: number): void
  /** Removes files from the loaded blocks; returns their times. */
  remove(ids: ReadonlySet<string>): number[]
  /** Reads the loaded blocks again that contain one of the files. */
  renew(ids: ReadonlySet<string>): Promise<void>
}

/**
 * Creates the blocks of a listing: those of its buckets or, without buckets, one after the other as
 * they are loaded; `known` is what is already known of the listing. `changed` is called with the index
 * of a block that was loaded, dropped or changed, and with null when the server's answer contradicts
 * the buckets, which then are out of date.
 */
export function createBlocks(
  source: Source,
  buckets: readonly Bucket[] | null,
  changed: (index: number | null) => void,
  known: { head?: CellPage; total?: number } = {},
): Blocks {
  const { head } = known
  const list: Block[] = buckets
    ? planSpans(buckets).map((span) => ({ ...span, files: null }))
    : [unknownBlock(0, null)]
  let isComplete = buckets !== null
  let total = known.total ?? 0
  // The requests of each run are sequential: each may load what the next one wants.
  const runs = new Map<number, Promise<void>>()

  const load = (index: number): Promise<void> => {
    const block = list[index]
    if (!block || block.files || block.count === 0) return Promise.resolve()
    const { run } = block
    const before = runs.get(run) ?? Promise.resolve()
    const loading = before.catch(() => {}).then(() => loadThrough(index))
    runs.set(run, loading)
    const end = () => {
      if (runs.get(run) === loading) runs.delete(run)
    }
    loading.then(end, end)
    return loading
  }

  const loadThrough = async (index: number): Promise<void> => {
    while (list[index] && !list[index].files && list[index].count > 0) {
      const start = beginningBefore(index)
      const end = beginningAfter(index)
      if (end === null || index - start < end - index) await loadForward(start, index)
      else await loadBackward(end, index)
    }
  }

  // Returns the nearest block at or before this one whose beginning is known.
  const beginningBefore = (index: number): number => {
    let start = index
    while (list[start]!.cursor === null && start > list[index]!.run) start--
    return start
  }

  // Returns the nearest block after this one whose beginning is known; null if there is none.
  const beginningAfter = (index: number): number | null => {
    for (let end = index + 1; end < list.length; end++) {
      if (list[end]!.cursor !== null) return end
    }
    return null
  }

  const loadForward = async (start: number, wanted: number): Promise<void> => {
    const block = list[start]!
    const second = list[start + 1]
    const isPair = start < wanted && second !== undefined && block.count + second.count <= MOST
    const count = block.count + (isPair ? second.count : 0)
    const { cursor } = block
    const behind = start + (isPair ? 2 : 1)
    const next = list[behind]
    // Before another run, the request includes the file with which that should begin.
    const isEnd = next !== undefined && next.run === behind && buckets !== null
    const limit = isEnd ? count + 1 : count
    const page = await source.cells({ ...(cursor === null ? {} : { cursor }), limit })
    list[behind - 1]!.follower = page.ids[count]
    take(start, page, 0, block.count)
    if (isPair) take(start + 1, page, block.count, count)
    if (!buckets) {
      grow(behind, page.next_cursor)
      return
    }
    if (next && !isEnd) next.cursor ??= page.next_cursor
    if (page.ids.length < limit || (!next && page.next_cursor !== null)) changed(null)
  }

  const loadBackward = async (end: number, wanted: number): Promise<void> => {
    const near = list[end - 1]!
    const far = list[end - 2]
    const isPair = wanted < end - 1 && far !== undefined && near.count + far.count <= MOST
    const count = near.count + (isPair ? far.count : 0)
    const cursor = list[end]!.cursor!
    const page = await source.cells({ cursor, direction: 'backward', limit: count })
    const start = end - (isPair ? 2 : 1)
    list[start]!.cursor ??= page.prev_cursor
    if (isPair) take(start, page, 0, page.ids.length - near.count)
    take(end - 1, page, Math.max(0, page.ids.length - near.count), page.ids.length)
    if (page.ids.length < count) changed(null)
  }

  // Stores the files of a page from `from` to before `end` in a block, as far as they exist.
  const take = (index: number, page: CellPage, from: number, end: number): void => {
    const block = list[index]!
    block.files = slice(page, Math.max(0, from), Math.max(0, end))
    settle(index)
  }

  // Replaces a block's estimates by the values of its files.
  const settle = (index: number): void => {
    const block = list[index]!
    const { ids, t } = block.files!
    if (block.count !== ids.length) {
      block.count = ids.length
      number(index)
    }
    block.ratio = sumOfRatios(block.files!)
    block.days = countDays(t)
    changed(index)
    if (!fits(index - 1) || !fits(index)) changed(null)
  }

  // Returns whether a block is followed by the next one, as far as both are known.
  const fits = (index: number): boolean => {
    const block = list[index]
    const first = list[index + 1]?.files?.ids[0]
    if (!block?.files || first === undefined) return true
    if (block.follower !== undefined && block.follower !== first) return false
    return !block.files.ids.includes(first)
  }

  const number = (from: number): void => {
    for (let index = from + 1; index < list.length; index++) {
      list[index]!.first = list[index - 1]!.first + list[index - 1]!.count
    }
  }

  const grow = (behind: number, cursor: string | null): void => {
    if (behind < list.length) return
    if (cursor === null) isComplete = true
    else list.push(unknownBlock(list[behind - 1]!.first + list[behind - 1]!.count, cursor, behind))
    changed(Math.min(behind, list.length - 1))
  }

  // Returns the current files of a loaded block; null if it has been dropped.
  const readAgain = async (index: number): Promise<Columns | null> => {
    const block = list[index]!
    const { cursor, count, files } = block
    if (cursor !== null) return source.cells({ cursor, limit: count })
    if (index === 0) return source.cells({ limit: count })
    // It was loaded with the block before it, and its beginning was never returned.
    block.files = null
    try {
      await load(index)
    } finally {
      block.files ??= files
    }
    return block.files
  }

  if (head) {
    const first = list[0]
    if (first && (!buckets || first.count <= head.ids.length)) {
      take(0, head, 0, buckets ? first.count : head.ids.length)
      const next = list[1]
      if (next?.run === 0 && first.count === head.ids.length) next.cursor ??= head.next_cursor
    }
    if (!buckets) grow(1, head.next_cursor)
  }

  const end = (): number => {
    const last = list.at(-1)
    if (!last) return 0
    return last.first + (isComplete || last.files ? last.count : 0)
  }

  const replace = (index: number, files: Columns): void => {
    total -= list[index]!.files!.ids.length - files.ids.length
    list[index]!.files = files
    settle(index)
  }

  return {
    list,
    total: () => (isComplete ? end() : Math.max(total, end())),
    end,
    load,
    dropFar(index) {
      const loaded = list.flatMap((block, at) => (block.files ? [at] : []))
      loaded.sort((a, b) => Math.abs(a - index) - Math.abs(b - index))
      for (const at of loaded.slice(MOST_LOADED)) {
        list[at]!.files = null
        changed(at)
      }
    },
    remove(ids) {
      const times: number[] = []
      list.forEach((block, index) => {
        const { files } = block
        if (!files?.ids.some((id) => ids.has(id))) return
        block.follower = undefined
        times.push(...pick(files, (id) => ids.has(id)).t)
        replace(
          index,
          pick(files, (id) => !ids.has(id)),
        )
      })
      return times
    },
    async renew(ids) {
      const affected = list.filter(({ files }) => files?.ids.some((id) => ids.has(id)))
      for (const block of affected) {
        const index = list.indexOf(block)
        const own = new Set(block.files?.ids)
        const page = await readAgain(index)
        // It may have been dropped meanwhile.
        if (!page || !block.files) continue
        // New files would shift the later blocks; only reading the whole listing again can add them.
        replace(
          index,
          pick(page, (id) => own.has(id)),
        )
      }
    },
  }
}

/** Returns the index of the block that contains a position; the last one for positions after all. */
export function blockAt(list: readonly Block[], position: number): number {
  let low = 0
  let high = Math.max(0, list.length - 1)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (list[middle]!.first <= position) low = middle
    else high = middle - 1
  }
  return low
}

function unknownBlock(first: number, cursor: string | null, run = 0): Block {
  const count = MOST / 2
  return { first, count, ratio: count * 1.3, days: 0, run, cursor, goesOn: true, files: null }
}
