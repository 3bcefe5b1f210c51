import { signal } from '@preact/signals'
import { act, api, ask, asOneChange } from '../../base/api.ts'
import { ApiError } from '../../base/error.ts'
import { number } from '../../base/format.ts'
import { type Cell, MOST_FILES } from '../../base/listing.ts'
import { folded, pictureOf } from '../../base/pairs.ts'
import { remember } from '../../base/undo/undo.ts'
import { files, isSelected, scroller, selection } from '../../grid/index.ts'
import { toast } from '../../parts/toast.tsx'
import { listing } from '../../routes.ts'
import { pools as text } from '../../text/pools.ts'
import { problem } from '../../text/problem.ts'
import { orderOf } from '../album.ts'
import { arranged, type Gap, gapAt, known, requestsFor } from './order.ts'

/** A move of files, which begins when they are picked up. */
export interface Move {
  pool: string
  chosen: ReadonlySet<string>
  gap: Gap | null
  /** The order of the whole pool on the server. */
  order: Promise<string[]>
}

/** Describes a move for screen readers. */
export const announced = signal('')

/** Called when the pool differs from what is shown. */
export const outdated: { report: () => void } = { report: () => {} }

let queue: Promise<unknown> = Promise.resolve()

/** Returns the selected files among those that are shown. */
export function selectedIds(): Set<string> {
  const selected = selection.selected.peek()
  return new Set(known.ids.filter((id) => isSelected(selected, id)))
}

/** Picks files up, and reads the current order, because others may have changed it. */
export function pickUp(pool: string, chosen: ReadonlySet<string>): Move {
  const order = queue.then(() => orderOf(pool))
  order.catch(() => undefined)
  return { pool, chosen, gap: null, order }
}

/** Returns the move with its files at a place in what is shown, and announces it. */
export function moveTo(move: Move, place: number): Move {
  const gap = gapAt(known.ids, move.chosen, place)
  const words = text()
  const count = move.chosen.size
  const { before, after } = gap
  const placeOf = (id: string) => number(known.ids.indexOf(id) + 1)
  if (after === null) announced.value = words.atStart(count)
  else if (before === null) announced.value = words.atEnd(count)
  else {
    announced.value = words.between(
      count,
      placeOf(after),
      placeOf(before),
      number(known.ids.length),
    )
  }
  return { ...move, gap }
}

/** Drops the files of a move: they are shown there at once, and stored by one request. */
export async function putDown(move: Move): Promise<void> {
  const next = move.gap && arranged(known.ids, move.chosen, move.gap)
  if (!next || requestsFor(known.ids, next, MOST_FILES).length === 0) return
  const done = commit(move, next)
  await Promise.all([
    show(
      next,
      done.catch(() => undefined),
    ),
    done,
  ])
}

/** Stores a move that is already visible as `shown`; afterwards the server's order is shown. */
export async function commit(move: Move, shown: readonly string[]): Promise<void> {
  const { gap } = move
  if (!gap) return
  const stored = asOneChange(queue.then(() => store({ ...move, gap })))
  queue = stored.catch(() => undefined)
  try {
    const order = await stored
    const isShown = new Set(shown)
    const isSame = order.filter((id) => isShown.has(id)).every((id, at) => id === shown[at])
    if (isSame && (isFiltered() || folded(order, new Set(order)).length === shown.length)) return
    outdated.report()
  } catch (error) {
    if (error !== GONE) toast({ text: text().notMoved(problem(error)), kind: 'bad' })
  }
  await files.refresh()
}

function isFiltered(): boolean {
  const { filter, search, from, to } = listing.peek()
  return Boolean(filter || search || from || to)
}

const GONE = new Error('the place is gone')

/** Shows an order before the server has it, without moving what is in view. */
export async function show(ids: string[], settled: Promise<unknown>): Promise<void> {
  const cells = new Map<string, Cell>()
  for (let at = 0; at < known.ids.length; at++) {
    const cell = files.peek(at)
    if (cell) cells.set(cell.id, cell)
  }
  known.pending = { ids, cells, settled }
  known.ids = ids
  const { y } = scroller.view()
  const shown = files.refresh()
  known.pending = null
  await shown
  scroller.move(y - scroller.view().y)
}

async function store({ pool, chosen, gap, order }: Move & { gap: Gap }): Promise<string[]> {
  let before = await order
  for (let isFirst = true; ; isFirst = false) {
    // Films go along with their pictures.
    const present = new Set(
      before.filter((id) => chosen.has(id) || chosen.has(pictureOf(id) ?? id)),
    )
    const after = arranged(before, present, gap)
    if (!after || present.size === 0) return giveUp()
    try {
      await request(
        pool,
        requestsFor(before, after, MOST_FILES),
        folded([...present], present).length,
      )
      return after
    } catch (error) {
      // Another user has removed a file meanwhile, or changed the pool's sort.
      if (!(error instanceof ApiError) || error.status !== 400) throw error
      outdated.report()
      const { sort_key } = await ask(
        api.GET('/api/v1/pools/{pool_id}', { params: { path: { pool_id: pool } } }),
      )
      if (!isFirst || sort_key !== 'manual') return giveUp()
      before = await orderOf(pool)
    }
  }
}

function giveUp(): never {
  toast({ text: text().notMoved(text().changedSince), kind: 'bad' })
  throw GONE
}

async function request(pool_id: string, requests: string[][], count: number): Promise<void> {
  const operations: number[] = []
  const params = { path: { pool_id } }
  try {
    for (const file_ids of requests) {
      const body = { file_ids }
      const call = api.PUT('/api/v1/pools/{pool_id}/files/reorder', { params, body })
      const { operation } = await act(call)
      if (operation !== null) operations.push(operation)
    }
  } catch (error) {
    remember(operations)
    throw error
  }
  if (operations.length > 0) toast({ text: text().areMoved(count), operation: operations })
}

/** Moves the selected files to a place in what is shown, and shows them there. */
export async function moveSelected(pool: string, place: number): Promise<void> {
  const chosen = selectedIds()
  const [first] = known.ids.filter((id) => chosen.has(id))
  if (first === undefined) return
  await putDown(moveTo(pickUp(pool, chosen), place))
  reveal(first)
}

/** Scrolls to a file, even if it isn't loaded. */
export function reveal(id: string): void {
  const position = known.ids.indexOf(id)
  if (position !== -1) scroller.reveal(position)
}
