import { computed, signal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'
import { api, ask } from '../base/api.ts'
import { settled } from '../base/settled.ts'
import { expression, filterWithin, printFilter, splitPlaces } from '../filter/index.ts'
import { listing, replace } from '../routes.ts'
import { moved, type Point, type Size, type View, zoomAt } from '../viewer/zoom.ts'
import { type Box, boxOf, coverOf, namesOf, WORLD, widthOf } from './cells.ts'
import { bounded, pointOf, SIDE, sightOf, viewOf } from './view.ts'

/** The most cells that one question names, and the most pixels that a cell of its answer is wide. */
const MOST_WITHIN = 32
const WIDE = 24
/** The most geohashes by which a filter says what is in sight. */
const MOST_NAMED = 24
/** The largest scale at which the map opens: about the size of a country. */
const NEAREST = 64
const GLIDE = 250

/** How the map lies on the stage; null before anything is known. It stays while other screens are shown. */
export const view = signal<View | null>(null)
export const stage = signal<Size | null>(null)
/** The last view that stayed for a moment, which what is asked for follows. */
export const calm = signal<View | null>(null)

/** What the filter of the address asks for, and the cells that it names. */
export const asked = computed(() => splitPlaces(expression.value))

// As text, so that an equal question isn't asked again.
const area = computed(() => {
  if (!calm.value || !stage.value) return JSON.stringify({ cells: 3, within: '' })
  const within = coverOf(sightOf(calm.value, stage.value), MOST_WITHIN).join()
  const pixels = (length: number) => (widthOf(length) / 360) * SIDE * calm.value!.scale
  let cells = 1
  while (cells < 8 && pixels(cells) > WIDE) cells++
  return JSON.stringify({ cells, within })
})

/** An answer of the server, and the cells that were asked for; none for all. */
export interface Loaded {
  map: Schemas['FileMap']
  within: string[]
}

/** Returns what lies where the map shows it. Throws an ApiError. */
export async function loadMap(aborted: AbortSignal): Promise<Loaded> {
  void settled.value
  const { search, from, to, sort } = listing.value
  const filter = printFilter(asked.value.rest)
  const { cells, within } = JSON.parse(area.value) as { cells: number; within: string }
  const query = {
    ...{ cells, pairs: '1' as const },
    ...(within && { within }),
    ...(filter && { filter }),
    ...(search && { search }),
    ...(from && { from }),
    ...(to && { to }),
    sort: sort === 'created' ? ('created' as const) : ('content_datetime' as const),
  }
  const map = await ask(api.GET('/api/v1/files/map', { params: { query }, signal: aborted }))
  return { map, within: within === '' ? [] : within.split(',') }
}

/** Shows cells as large as the stage allows; without any, the whole world. */
export function showCells(cells: readonly string[], largest?: number, moves = false): void {
  if (!stage.peek()) return
  const boxes = cells.map(boxOf)
  const all: Box = {
    west: Math.min(...boxes.map(({ west }) => west)),
    south: Math.min(...boxes.map(({ south }) => south)),
    east: Math.max(...boxes.map(({ east }) => east)),
    north: Math.max(...boxes.map(({ north }) => north)),
  }
  const next = viewOf(boxes.length > 0 ? all : WORLD, stage.peek()!, largest)
  if (moves) glideTo(next)
  else view.value = next
}

/**
 * Opens the map where the filter of the address is, which then says it no longer: the view does. Otherwise it opens as it
 * was, or where the files are.
 */
export function openAt({ map }: Loaded): void {
  const { cells, rest } = asked.peek()
  const named = cells.filter((cell) => cell !== '')
  if (named.length > 0) showCells(named)
  else if (view.peek() === null) showCells(map.cells, NEAREST)
  if (cells.length > 0) replace({ listing: { filter: printFilter(rest) } })
}

export function zoomBy(factor: number, at?: Point): void {
  change((now, { width, height }) => zoomAt(now, factor, at ?? { x: width / 2, y: height / 2 }))
}

export function moveBy(by: Point): void {
  change((now) => moved(now, by))
}

/** Changes the view to what a function returns, within what the map shows. */
export function change(to: (now: View, room: Size) => View): void {
  const [now, room] = [view.peek(), stage.peek()]
  cancelAnimationFrame(frame)
  if (now && room) view.value = bounded(to(now, room), room)
}

let frame = 0

/** Goes to a view, in a moment unless the system asks for less motion. */
function glideTo(next: View): void {
  const from = view.peek()
  cancelAnimationFrame(frame)
  if (!from || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    view.value = next
    return
  }
  const begun = performance.now()
  const step = () => {
    const part = Math.min(1, (performance.now() - begun) / GLIDE)
    const scale = from.scale * (next.scale / from.scale) ** part
    // A point of the map stays in its place where the scale changes.
    const share =
      Math.abs(next.scale - from.scale) < 1e-6
        ? part
        : (scale - from.scale) / (next.scale - from.scale)
    view.value = {
      scale,
      x: from.x + (next.x - from.x) * share,
      y: from.y + (next.y - from.y) * share,
    }
    if (part < 1) frame = requestAnimationFrame(step)
  }
  step()
}

/** Returns the filter that finds the files in sight, and how many of them there are. */
export function filterInSight({ map, within }: Loaded): { filter: string; count: number } {
  const [now, room] = [calm.value, stage.value]
  if (!now || !room) return { filter: '', count: 0 }
  const isInSight = (cell: string) => {
    const { west, south, east, north } = boxOf(cell)
    const { x, y } = pointOf((west + east) / 2, (south + north) / 2)
    const [left, top] = [x * now.scale + now.x, y * now.scale + now.y]
    return left >= 0 && top >= 0 && left <= room.width && top <= room.height
  }
  const names = namesOf(map.cells, isInSight, within, MOST_NAMED)
  const counts = map.cells.map((cell, n) =>
    names.some((name) => cell.startsWith(name)) ? map.counts[n]! : 0,
  )
  const count = counts.reduce((sum, one) => sum + one, 0)
  return { filter: filterWithin(asked.value.rest, names), count }
}
