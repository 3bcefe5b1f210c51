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

interface State {
  source: Source
  list: Block[]
  hasBuckets: boolean
  changed(index: number | null): void
  isComplete: boolean
  total: number
  /** The requests of each run are sequential: each may load what the next one wants. */
  runs: Map<number, Promise<void>>
}

/**
 * Creates the blocks of a listing: those of its buckets or, without buckets, one after the other as
 * they are loaded; the last argument is what is already known of the listing. `changed` is called with
 * the index of a block that was loaded, dropped or changed, and with null when the server's answer
 * contradicts the buckets, which then are out of date.
 */
export function createBlocks(
  source: Source,
  buckets: readonly Bucket[] | null,
  changed: (index: number | null) => void,
  { head, total = 0 }: { head?: CellPage; total?: number } = {},
): Blocks {
  const list: Block[] = buckets
    ? planSpans(buckets).map((span) => ({ ...span, files: null }))
    : [unknownBlock(0, null)]
  const hasBuckets = buckets !== null
  const isComplete = hasBuckets
  const state: State = { source, list, hasBuckets, changed, isComplete, total, runs: new Map() }
  if (head) takeHead(state, head)
  return {
    list,
    total: () => (state.isComplete ? endOf(state) : Math.max(state.total, endOf(state))),
    end: () => endOf(state),
    load: (index) => load(state, index),
    dropFar: (index) => dropFar(state, index),
    remove: (ids) => remove(state, ids),
    renew: (ids) => renew(state, ids),
  }
}

function takeHead(state: State, head: CellPage): void {
  const { list, hasBuckets } = state
  const [first, next] = list
  if (first && (!hasBuckets || first.count <= head.ids.length)) {
    take(state, 0, head, 0, hasBuckets ? first.count : head.ids.length)
    if (next?.run === 0 && first.count === head.ids.length) next.cursor ??= head.next_cursor
  }
  if (!hasBuckets) grow(state, 1, head.next_cursor)
}

function endOf({ list, isComplete }: State): number {
  const last = list.at(-1)
  if (!last) return 0
  return last.first + (isComplete || last.files ? last.count : 0)
}

function load(state: State, index: number): Promise<void> {
  const block = state.list[index]
  if (!block || block.files || block.count === 0) return Promise.resolve()
  const { run } = block
  const before = state.runs.get(run) ?? Promise.resolve()
  const loading = before.catch(() => {}).then(() => loadThrough(state, index))
  state.runs.set(run, loading)
  const end = () => {
    if (state.runs.get(run) === loading) state.runs.delete(run)
  }
  loading.then(end, end)
  return loading
}

async function loadThrough(state: State, index: number): Promise<void> {
  while (state.list[index] && !state.list[index].files && state.list[index].count > 0) {
    const start = beginningBefore(state, index)
    const end = beginningAfter(state, index)
    if (end === null || index - start < end - index) await loadForward(state, start, index)
    else await loadBackward(state, end, index)
  }
}

// Returns the nearest block at or before this one whose beginning is known.
function beginningBefore(state: State, index: number): number {
  let start = index
  while (state.list[start]!.cursor === null && start > state.list[index]!.run) start--
  return start
}

// Returns the nearest block after this one whose beginning is known; null if there is none.
function beginningAfter(state: State, index: number): number | null {
  for (let end = index + 1; end < state.list.length; end++) {
    if (state.list[end]!.cursor !== null) return end
  }
  return null
}

async function loadForward(state: State, start: number, wanted: number): Promise<void> {
  const block = state.list[start]!
  const second = state.list[start + 1]
  const isPair = start < wanted && second !== undefined && block.count + second.count <= MOST
  const count = block.count + (isPair ? second.count : 0)
  const { cursor } = block
  const behind = start + (isPair ? 2 : 1)
  const next = state.list[behind]
  // Before another run, the request includes the file with which that should begin.
  const isEnd = next !== undefined && next.run === behind && state.hasBuckets
  const limit = isEnd ? count + 1 : count
  const page = await state.source.cells({ ...(cursor === null ? {} : { cursor }), limit })
  state.list[behind - 1]!.follower = page.ids[count]
  take(state, start, page, 0, block.count)
  if (isPair) take(state, start + 1, page, block.count, count)
  if (!state.hasBuckets) {
    grow(state, behind, page.next_cursor)
    return
  }
  if (next && !isEnd) next.cursor ??= page.next_cursor
  if (page.ids.length < limit || (!next && page.next_cursor !== null)) state.changed(null)
}

async function loadBackward(state: State, end: number, wanted: number): Promise<void> {
  const near = state.list[end - 1]!
  const far = state.list[end - 2]
  const isPair = wanted < end - 1 && far !== undefined && near.count + far.count <= MOST
  const count = near.count + (isPair ? far.count : 0)
  const cursor = state.list[end]!.cursor!
  const page = await state.source.cells({ cursor, direction: 'backward', limit: count })
  const start = end - (isPair ? 2 : 1)
  state.list[start]!.cursor ??= page.prev_cursor
  if (isPair) take(state, start, page, 0, page.ids.length - near.count)
  take(state, end - 1, page, Math.max(0, page.ids.length - near.count), page.ids.length)
  if (page.ids.length < count) state.changed(null)
}

// Stores the files of a page from `from` to before `end` in a block, as far as they exist.
function take(state: State, index: number, page: CellPage, from: number, end: number): void {
  const block = state.list[index]!
  block.files = slice(page, Math.max(0, from), Math.max(0, end))
  settle(state, index)
}

// Replaces a block's estimates by the values of its files.
function settle(state: State, index: number): void {
  const block = state.list[index]!
  const { ids, t } = block.files!
  if (block.count !== ids.length) {
    block.count = ids.length
    number(state, index)
  }
  block.ratio = sumOfRatios(block.files!)
  block.days = countDays(t)
  state.changed(index)
  if (!fits(state, index - 1) || !fits(state, index)) state.changed(null)
}

// Returns whether a block is followed by the next one, as far as both are known.
function fits(state: State, index: number): boolean {
  const block = state.list[index]
  const first = state.list[index + 1]?.files?.ids[0]
  if (!block?.files || first === undefined) return true
  if (block.follower !== undefined && block.follower !== first) return false
  return !block.files.ids.includes(first)
}

function number(state: State, from: number): void {
  for (let index = from + 1; index < state.list.length; index++) {
    state.list[index]!.first = state.list[index - 1]!.first + state.list[index - 1]!.count
  }
}

function grow(state: State, behind: number, cursor: string | null): void {
  const { list } = state
  const last = list[behind - 1]
  if (behind < list.length) return
  if (cursor === null) state.isComplete = true
  else list.push(unknownBlock(last!.first + last!.count, cursor, behind))
  state.changed(Math.min(behind, list.length - 1))
}

// Returns the current files of a loaded block; null if it has been dropped.
async function readAgain(state: State, index: number): Promise<Columns | null> {
  const block = state.list[index]!
  const { cursor, count, files } = block
  if (cursor !== null) return state.source.cells({ cursor, limit: count })
  if (index === 0) return state.source.cells({ limit: count })
  // It was loaded with the block before it, and its beginning was never returned.
  block.files = null
  try {
    await load(state, index)
  } finally {
    block.files ??= files
  }
  return block.files
}

// Replaces the files of a block by the current ones, which may be fewer.
function replace(state: State, index: number, files: Columns): void {
  const block = state.list[index]!
  state.total -= block.files!.ids.length - files.ids.length
  block.files = files
  settle(state, index)
}

function dropFar({ list, changed }: State, index: number): void {
  const loaded = list.flatMap((block, at) => (block.files ? [at] : []))
  loaded.sort((a, b) => Math.abs(a - index) - Math.abs(b - index))
  for (const at of loaded.slice(MOST_LOADED)) {
    list[at]!.files = null
    changed(at)
  }
}

function remove(state: State, ids: ReadonlySet<string>): number[] {
  const times: number[] = []
  state.list.forEach((block, index) => {
    const { files } = block
    if (!files?.ids.some((id) => ids.has(id))) return
    block.follower = undefined
    times.push(...pick(files, (id) => ids.has(id)).t)
    const left = pick(files, (id) => !ids.has(id))
    replace(state, index, left)
  })
  return times
}

async function renew(state: State, ids: ReadonlySet<string>): Promise<void> {
  const affected = state.list.filter(({ files }) => files?.ids.some((id) => ids.has(id)))
  for (const block of affected) {
    const index = state.list.indexOf(block)
    const own = new Set(block.files?.ids)
    const page = await readAgain(state, index)
    // It may have been dropped meanwhile.
    if (!page || !block.files) continue
    // New files would shift the later blocks; only reading the whole listing again can add them.
    const known = pick(page, (id) => own.has(id))
    replace(state, index, known)
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
