import { effect } from '@preact/signals'
import { type Listing, writeListing } from '../base/listing.ts'
import { session } from '../base/session.ts'
import { listing, screen } from '../routes.ts'
import { gridOf } from './grid.tsx'
import { type Files, openFiles } from './listing/files.ts'
import { refine } from './listing/source.ts'
import { monthsOf } from './scrubber/months.ts'
import { createSelection, readSelected, type Selection, writeSelected } from './selection.ts'
import { createView } from './view.ts'

export { DRAGGED, scrollAtEdges, swallowClick } from './gestures/mouse.ts'
export { Failure } from './grid.tsx'
export type { CellPage } from './listing/columns.ts'
export { type Files, openFiles } from './listing/files.ts'
export { type ListingSource, refine } from './listing/source.ts'
export { isSelected, type Selected } from './selection.ts'
export { averageColour } from './thumbnails/blur.ts'

const SHOWING: readonly unknown[] = ['photos', 'trash', 'pools']

/** A pool's screen shows it once its order has loaded. */
const isShowing = () =>
  SHOWING.includes(screen.value) &&
  (screen.value !== 'pools' || (listing.value.pool && refine.value))

const opened = openFiles(() => (session.value && isShowing() ? listing.value : null))
const view = createView(opened)

/** The files of the listing of the address. */
export const files: Files = opened
/** The selection in the listing of the address. */
export const selection: Selection = createSelection(opened)
/** Shows the listing of the address. */
export const Grid = gridOf({ files: opened, view, selection })

export const { scroller } = view

/** Whether the grid was drawn since the page loaded: its first pictures have loaded or failed. */
export const wasSeen = view.wasSeen

/** Scrolls to a file, and focuses it with `hasFocus`. */
export const show = view.show

/** Goes to a month such as 2018-07, or to the next one in the listing; returns false without any. */
export function goToMonth(key: string): boolean {
  const isAscending = listing.peek().order === 'asc'
  const months = monthsOf(opened.buckets.peek() ?? [])
  const month =
    months.find((each) => (isAscending ? each.key >= key : each.key <= key)) ?? months.at(-1)
  if (month) view.scroller.jump(month.first)
  return month !== undefined
}

function isVisitAnew(): boolean {
  const [visit] = performance.getEntriesByType('navigation')
  return (visit as PerformanceNavigationTiming | undefined)?.type === 'navigate'
}

/** Returns a text that identifies a listing whatever its sort and order. */
function namesake({ filter, search, from, to, trash, pool }: Listing): string {
  const named = { filter, search, from, to, trash, pool, sort: 'created', order: 'asc' } as Listing
  return String(writeListing(named))
}

/** The selection survives a reload of the tab. */
const STORAGE_KEY = 'tagstead-selection'

globalThis.addEventListener?.('pagehide', () => {
  const { k } = session.peek() ?? {}
  sessionStorage.removeItem(STORAGE_KEY)
  if (k === undefined || selection.count.peek() === 0) return
  const owner = { k, listing: namesake(listing.peek()) }
  try {
    sessionStorage.setItem(STORAGE_KEY, writeSelected(selection.selected.peek(), owner))
  } catch {
    // A selection that exceeds the storage is not stored.
  }
})
effect(() => {
  const { k } = session.value ?? {}
  const stored = k === undefined ? null : sessionStorage.getItem(STORAGE_KEY)
  if (k === undefined || stored === null) return
  sessionStorage.removeItem(STORAGE_KEY)
  if (isVisitAnew()) return
  const selected = readSelected(stored, { k, listing: namesake(listing.peek()) })
  if (selected) selection.replace(selected)
})

let before = namesake(listing.peek())
effect(() => {
  const now = namesake(listing.value)
  if (now === before) return
  before = now
  // The selection belongs to the listing that is shown.
  selection.clear()
})
