import { type Cell, type Listing, MOST_FILES } from '../../base/listing.ts'
import type { CellPage, ListingSource } from '../../grid/index.ts'

/** An order that is shown before the server has it. */
interface Pending {
  ids: string[]
  /** The files that were loaded when it was created. */
  cells: ReadonlyMap<string, Cell>
  /** Resolves when the server has stored or rejected it. */
  settled: Promise<unknown>
}

/** The loaded order of the pool that is shown in its own order. */
export const known: { ids: readonly string[]; pending: Pending | null } = { ids: [], pending: null }

const BLOCK = 400
/** The estimated ratio of a file that isn't loaded. */
const USUAL_RATIO = 1.3

/** The prefix of the page's own cursors, which name the first file of a block. */
const OWN = '@'

/**
 * Returns a source for a pool in its own order; other listings use theirs. It reads all ids at once, so
 * that it can go to any place, and show an order before that is stored.
 */
export function sourceByHand({ pool, sort }: Listing, usual: ListingSource): ListingSource {
  if (!pool || sort) return usual
  const { pending } = known
  let ids: readonly string[] = pending?.ids ?? []

  const pageOf = (from: number, limit: number): CellPage | null => {
    const wanted = ids.slice(from, from + limit)
    const cells: Cell[] = []
    // Only the id of the file after the block is needed.
    for (const id of wanted.slice(0, BLOCK)) {
      const cell = pending?.cells.get(id)
      if (!cell) return null
      cells.push(cell)
    }
    return pending && columnsOf(wanted, cells)
  }
  return {
    async timeline() {
      if (!pending) ids = await readOrder(usual)
      known.ids = ids
      return { total: ids.length, buckets: null, spans: spansOf(ids) }
    },
    async cells({ cursor, ...query }) {
      if (query.anchor !== undefined) return usual.cells(query)
      const from = cursor === undefined ? 0 : ids.indexOf(cursor.slice(OWN.length))
      const page = pageOf(from, query.limit)
      if (page) return page
      await pending?.settled
      const anchor = ids[from]
      return usual.cells(from === 0 || anchor === undefined ? query : { ...query, anchor })
    },
    async ids({ cursor, limit }) {
      const from = cursor === undefined ? 0 : ids.indexOf(cursor.slice(OWN.length))
      const next = ids[from + limit]
      const next_cursor = next === undefined ? null : OWN + next
      return { ids: ids.slice(from, from + limit), next_cursor, total: ids.length }
    },
    positionOf: (id) => ids.indexOf(id),
  }
}

/** Returns the ids of all files of a listing. Throws an ApiError. */
export async function readOrder({ ids }: Pick<ListingSource, 'ids'>): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof ids>> = await ids({
      limit: MOST_FILES,
      ...(cursor !== null && { cursor }),
    })
    found.push(...page.ids)
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
}

function spansOf(ids: readonly string[]) {
  const spans = []
  for (let from = 0; from < ids.length; from += BLOCK) {
    const count = Math.min(BLOCK, ids.length - from)
    const cursor = from === 0 ? null : OWN + ids[from]!
    spans.push({ key: '', count, ratio: count * USUAL_RATIO, cursor })
  }
  return spans
}

function columnsOf(ids: string[], cells: Cell[]): CellPage {
  return {
    ids,
    t: cells.map(({ t }) => t),
    r: cells.map(({ ratio }) => Math.round(ratio * 100)),
    k: cells.map(({ kind }) => kind).join(''),
    h: cells.map(({ hash }) => hash),
    f: cells.map(({ flags }) => flags),
    d: cells.map(({ duration }) => duration),
    v: cells.map(({ version }) => version),
    c: cells.map(({ film }) => film ?? null),
    next_cursor: null,
    prev_cursor: null,
  }
}

/** A place between files that stay: before one, or after one; null at the ends. */
export interface Gap {
  before: string | null
  after: string | null
}

/** Returns the gap at a place of an order, from 0 to its length, without the chosen files. */
export function gapAt(ids: readonly string[], chosen: ReadonlySet<string>, place: number): Gap {
  const stays = (id: string) => !chosen.has(id)
  return {
    before: ids.slice(place).find(stays) ?? null,
    after: ids.slice(0, place).findLast(stays) ?? null,
  }
}

/**
 * Returns the order with the chosen files in a gap, in their previous sequence. If the order has
 * changed since, the gap is before the file that follows it, or else after the one before it; null if
 * neither is there.
 */
export function arranged(
  ids: readonly string[],
  chosen: ReadonlySet<string>,
  { before, after }: Gap,
): string[] | null {
  const rest = ids.filter((id) => !chosen.has(id))
  const moved = ids.filter((id) => chosen.has(id))
  const next = before === null ? -1 : rest.indexOf(before)
  const previous = after === null ? -1 : rest.indexOf(after)
  const isNowhere = next === -1 && previous === -1 && (before !== null || after !== null)
  if (isNowhere) return null
  const at = next === -1 ? previous + 1 : next
  return [...rest.slice(0, at), ...moved, ...rest.slice(at)]
}

/** The number of unchosen files to move past, or the end of the order to move to. */
export type Step = number | 'start' | 'end'

/** Returns the place to which a step moves the chosen files, for `gapAt`. */
export function placeOfStep(
  ids: readonly string[],
  chosen: ReadonlySet<string>,
  step: Step,
): number {
  if (step === 'start') return 0
  if (step === 'end') return ids.length
  const first = ids.findIndex((id) => chosen.has(id))
  const last = ids.findLastIndex((id) => chosen.has(id))
  let place = step < 0 ? first : last + 1
  for (let left = Math.abs(step); left > 0 && place >= 0 && place <= ids.length; ) {
    place += Math.sign(step)
    const passed = ids[step < 0 ? place : place - 1]
    if (passed !== undefined && !chosen.has(passed)) left--
  }
  return Math.max(0, Math.min(ids.length, place))
}

/**
 * Returns the files named by the requests that produce an order: each request puts its files first, in
 * the given sequence, and leaves the others as they are behind them. One is enough unless more than
 * `most` files come before the last that moves; none if nothing does.
 */
export function requestsFor(
  before: readonly string[],
  after: readonly string[],
  most: number,
): string[][] {
  const end = after.findLastIndex((id, place) => before[place] !== id) + 1
  const requests: string[][] = []
  for (let to = end; to > 0; to -= most) requests.push(after.slice(Math.max(0, to - most), to))
  return requests
}
