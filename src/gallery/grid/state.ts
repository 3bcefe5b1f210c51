import { batch, effect, type ReadonlySignal, type Signal } from '@preact/signals'
import { isLost } from '../base/connection.ts'
import { ApiError } from '../base/error.ts'
import { complainUnlessLost } from '../parts/toast.tsx'
import { at, openFile, replace } from '../routes.ts'
import type { Look } from './engine.ts'
import { createGeometry, type Geometry } from './geometry.ts'
import type { OpenFiles, Shown } from './listing/files.ts'
import { loadedId, loadedPosition } from './listing/loaded.ts'
import { hasDays } from './listing/source.ts'
import type { Scroller } from './scroller.ts'
import { byNeed, type createThumbnails, failed } from './thumbnails/thumbnails.ts'

/** What the parts of a view share. */
export interface State {
  files: OpenFiles
  size: Signal<{ width: number; isNarrow: boolean } | null>
  look: ReadonlySignal<Look | null>
  geometry: Signal<Geometry | null>
  /** Pixels above the first file, for what stands there. */
  lead: Signal<number>
  focused: Signal<string | null>
  isMoving: Signal<boolean>
  wasSeen: Signal<boolean>
  canvas: HTMLElement | null
  isFast: boolean
  /** The file to focus as soon as it is drawn. */
  awaited: string | null
  /** The place that this view has written to the address. */
  written: string | null
  /** Whether a file is being located to scroll to it. */
  isGoing: boolean
  lingering?: ReturnType<typeof setTimeout>
  thumbnails: ReturnType<typeof createThumbnails>
  scroller: Scroller
}

/** Loads the blocks in and near the view. */
export function load({ files, geometry, scroller }: State): void {
  const [shown, now] = [files.shown.peek(), geometry.peek()]
  if (!shown || !now) return
  const { y, height } = scroller.view()
  const near = now.visible(y - height, y + 2 * height)
  for (const { index, parts } of near) {
    if (!parts) shown.blocks.load(index).catch(complainUnlessLost)
  }
  const [first, last] = [near[0], near.at(-1)]
  if (!first || !last) return
  files.look(now.anchorAt(y).position, now.anchorAt(y + height).position)
  shown.blocks.dropFar(Math.round((first.index + last.index) / 2))
}

/** Requests the thumbnails in and near the view, unless it moves fast. */
export function wantThumbnails({ isFast, canvas, thumbnails, scroller }: State): void {
  if (isFast || !canvas) return
  const images = canvas.querySelectorAll<HTMLImageElement>('.cell img')
  thumbnails.want(byNeed(images, scroller.view()))
}

/** Writes the first file in view to the address. */
export function writePlace(state: State): void {
  const { files } = state
  if (state.isGoing || openFile.peek() !== null || !files.shown.peek()) return
  const position = state.scroller.place.peek()
  const id = position === 0 ? null : files.peek(position)?.id
  if (id === undefined) return
  state.written = id
  replace({ at: id })
}

/** Scrolls to a file and returns its position; null if the listing doesn't contain it. */
export async function go(state: State, id: string): Promise<number | null> {
  state.isGoing = true
  try {
    const position = await state.files.locate(id)
    if (position !== null) state.scroller.jump(position)
    return position
  } catch (error) {
    // The address may name a file that is gone.
    if (!(error instanceof ApiError)) throw error
    return null
  } finally {
    state.isGoing = false
  }
}

/** Follows the listing, the address and the connection until the returned function is called. */
export function follow(state: State): () => void {
  const stops = [
    followListing(state),
    followAddress(state),
    effect(() => {
      if (isLost.value) return
      failed.value = new Set()
      load(state)
    }),
    effect(() => {
      void failed.value
      // The images to retry have to be drawn first.
      requestAnimationFrame(() => wantThumbnails(state))
    }),
    state.files.watch((index) => {
      state.scroller.change(() => state.geometry.peek()?.changed(index))
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function followListing(state: State): () => void {
  const { files, look, geometry, lead, scroller } = state
  let before: Shown | null = null
  return effect(() => {
    const [shown, own] = [files.shown.value, look.value]
    if (!shown || !own) {
      geometry.value = null
      return
    }
    const next = createGeometry(shown.blocks.list, own, hasDays(shown.listing), lead.value)
    const anchor = scroller.anchor()
    const old = before?.listing === shown.listing ? before : null
    const id = old ? loadedId(old, anchor.position) : undefined
    before = shown
    batch(() => {
      geometry.value = next
      if (!old) scroller.show(next, next.anchorAt(0))
      else {
        const same = id === undefined ? null : loadedPosition(shown, id)
        const position = same ?? anchor.position
        scroller.show(next, { position, below: anchor.below })
      }
    })
    if (!old && at.peek() !== null) void go(state, at.peek()!)
  })
}

function followAddress(state: State): () => void {
  const { files, geometry, scroller } = state
  return effect(() => {
    const wanted = at.value
    if (wanted === state.written) return
    state.written = wanted
    if (!geometry.peek()) return
    if (wanted === null) scroller.jump(0)
    // For a file that the viewer showed, what is in view stays in place.
    else if (!scroller.shows(files.positionOf(wanted))) void go(state, wanted)
  })
}
