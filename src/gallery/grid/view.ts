import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { lostFor } from '../base/connection.ts'
import { ApiError } from '../base/error.ts'
import { type Density, density } from '../base/preferences.ts'
import { complainUnlessLost } from '../parts/toast.tsx'
import { at, openFile, replace } from '../routes.ts'
import type { Look } from './engine.ts'
import { createGeometry, type Geometry, type Step, stepFrom } from './geometry.ts'

import { blockAt } from './listing/blocks.ts'
import { isDated, type OpenFiles, type Shown } from './listing/files.ts'
import { loadedId, loadedPosition } from './listing/ranges.ts'
import { createScroller, type Scroller } from './scroller.ts'
import { monthAt, monthsOf } from './scrubber/months.ts'
import { byNeed, createThumbnails, failed } from './thumbnails/thumbnails.ts'

/** The heights of rows in pixels: on wide windows, on narrow ones. */
const ROWS: Record<Density, [number, number]> = {
  dense: [120, 84],
  medium: [176, 118],
  airy: [260, 190],
}

/** The state shared by the grid's parts: where each file is, what is in view, what has the focus. */
export interface View {
  readonly files: OpenFiles
  readonly scroller: Scroller
  /** Null before the listing is loaded. */
  readonly geometry: ReadonlySignal<Geometry | null>
  readonly look: ReadonlySignal<Look | null>
  /** The file that has the focus, or would get it. */
  readonly focused: ReadonlySignal<string | null>
  /** Whether the view is moving. */
  readonly isMoving: ReadonlySignal<boolean>
  /** Whether a listing was drawn, and its first pictures have loaded or failed. */
  readonly wasSeen: ReadonlySignal<boolean>
  /** Shows files in an element, until the returned function is called. */
  attach(element: HTMLElement, canvas: HTMLElement): () => void
  /** Must be called when what is drawn is in the document. */
  rendered(): void
  /** Moves the focus; returns its new position, null on failure. */
  step(step: Step): Promise<number | null>
  focus(position: number): Promise<number | null>
  /** Goes `step` months on. */
  month(step: number): void
  /** Scrolls to a file, and focuses it with `hasFocus`. */
  show(id: string, options?: { hasFocus?: boolean }): Promise<void>
}

/** Milliseconds for which the scrubber shows the month after a movement. */
const LINGER = 1200

/** Creates the view of files. */
export function createView(files: OpenFiles): View {
  const size = signal<{ width: number; isNarrow: boolean } | null>(null)
  const geometry = signal<Geometry | null>(null)
  const focused = signal<string | null>(null)
  const isMoving = signal(false)
  const wasSeen = signal(false)
  const look = computed<Look | null>(() => {
    if (!size.value) return null
    const { width, isNarrow } = size.value
    return {
      width,
      rowHeight: ROWS[density.value][isNarrow ? 1 : 0],
      gap: isNarrow ? 3 : 4,
      heading: isNarrow ? 44 : 48,
    }
  })
  let canvas: HTMLElement | null = null
  let isFast = false
  // The file to focus as soon as it is drawn.
  let awaited: string | null = null
  // The place that this view has written to the address.
  let written: string | null = null
  let isGoing = false
  let lingering: ReturnType<typeof setTimeout> | undefined

  const thumbnails = createThumbnails({
    rowHeight: () => look.peek()?.rowHeight ?? 0,
    isIdle() {
      if (canvas?.querySelector('.cell') || files.total.peek() === 0) wasSeen.value = true
    },
  })
  const scroller = createScroller({
    fast() {
      isFast = true
      isMoving.value = true
      thumbnails.want([])
    },
    slow() {
      isFast = false
      load()
      wantThumbnails()
    },
    calm() {
      clearTimeout(lingering)
      lingering = setTimeout(() => {
        isMoving.value = false
      }, LINGER)
      writePlace()
    },
  })

  const load = () => {
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

  const wantThumbnails = () => {
    if (isFast || !canvas) return
    const images = canvas.querySelectorAll<HTMLImageElement>('.cell img')
    thumbnails.want(byNeed(images, scroller.view()))
  }

  const writePlace = () => {
    if (isGoing || openFile.peek() !== null || !files.shown.peek()) return
    const position = scroller.place.peek()
    const id = position === 0 ? null : files.peek(position)?.id
    if (id === undefined) return
    written = id
    replace({ at: id })
  }

  const go = async (id: string): Promise<number | null> => {
    isGoing = true
    try {
      const position = await files.locate(id)
      if (position !== null) scroller.jump(position)
      return position
    } catch (error) {
      // The address may name a file that is gone.
      if (!(error instanceof ApiError)) throw error
      return null
    } finally {
      isGoing = false
    }
  }

  const focus = async (position: number): Promise<number | null> => {
    scroller.reveal(position)
    const cell = await files.at(position)
    if (!cell) return null
    scroller.reveal(position)
    awaited = cell.id
    focused.value = cell.id
    giveFocus()
    return position
  }

  const giveFocus = () => {
    if (awaited === null) return
    const link = canvas?.querySelector<HTMLElement>(`a[data-id="${awaited}"]`)
    if (!link) return
    awaited = null
    link.focus({ preventScroll: true })
  }

  const follow = () => {
    let before: Shown | null = null
    const stops = [
      effect(() => {
        const [shown, own] = [files.shown.value, look.value]
        if (!shown || !own) {
          geometry.value = null
          return
        }
        const next = createGeometry(shown.blocks.list, own, isDated(shown))
        const anchor = scroller.anchor()
        const old = before?.listing === shown.listing ? before : null
        const id = old ? loadedId(old, anchor.position) : undefined
        before = shown
        batch(() => {
          geometry.value = next
          if (!old) scroller.show(next, { position: 0, below: 0 })
          else {
            const same = id === undefined ? null : loadedPosition(shown, id)
            const position = same ?? anchor.position
            scroller.show(next, { position, below: anchor.below })
          }
        })
        if (!old && at.peek() !== null) void go(at.peek()!)
      }),
      effect(() => {
        const wanted = at.value
        if (wanted === written) return
        written = wanted
        if (!geometry.peek()) return
        if (wanted === null) scroller.jump(0)
        // For a file that the viewer showed, what is in view stays in place.
        else if (!scroller.shows(files.positionOf(wanted))) void go(wanted)
      }),
      effect(() => {
        if (lostFor.value !== null) return
        failed.value = new Set()
        load()
      }),
      effect(() => {
        void failed.value
        // The images to retry have to be drawn first.
        requestAnimationFrame(wantThumbnails)
      }),
      files.watch((index) => {
        scroller.change(() => geometry.peek()?.changed(index))
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  return {
    files,
    scroller,
    geometry,
    look,
    focused,
    isMoving,
    wasSeen,
    attach(element, ownCanvas) {
      canvas = ownCanvas
      const measure = () => {
        const width = Math.floor(ownCanvas.clientWidth)
        const isNarrow = matchMedia('(max-width: 760px)').matches
        const known = size.peek()
        scroller.resize()
        if (width > 0 && (known?.width !== width || known.isNarrow !== isNarrow)) {
          size.value = { width, isNarrow }
        }
      }
      const observer = new ResizeObserver(measure)
      const detach = scroller.attach(element, ownCanvas)
      const deafen = thumbnails.listen(ownCanvas)
      const moved = () => {
        isMoving.value = true
      }
      element.addEventListener('scroll', moved, { passive: true })
      observer.observe(element)
      measure()
      const stop = follow()
      return () => {
        stop()
        observer.disconnect()
        element.removeEventListener('scroll', moved)
        deafen()
        detach()
        clearTimeout(lingering)
        canvas = null
      }
    },
    rendered() {
      wantThumbnails()
      giveFocus()
    },
    async step(step) {
      const now = geometry.peek()
      const total = files.total.peek() ?? 0
      if (!now || total === 0) return null
      const id = focused.peek()
      const link = id && canvas?.querySelector(`a[data-id="${id}"]`)
      const from = link ? files.positionOf(id) : null
      // Focus from elsewhere begins with what is in view.
      if (from === null) return focus(scroller.place.peek())
      let next = stepFrom(now, from, step, total)
      if (next === null) {
        const { blocks } = files.shown.peek()!
        const index = blockAt(blocks.list, from) + (step === 'up' ? -1 : 1)
        await blocks.load(Math.max(0, index))
        next = stepFrom(now, from, step, total)
      }
      return next === null ? null : focus(next)
    },
    focus,
    month(step) {
      const months = monthsOf(files.buckets.peek() ?? [])
      const { isAtEnd } = scroller.drawn.peek()
      const place = isAtEnd ? Number.POSITIVE_INFINITY : scroller.place.peek()
      const month = months[monthAt(months, place) + step]
      if (month) scroller.jump(month.first)
    },
    async show(id, { hasFocus = false } = {}) {
      const loaded = files.positionOf(id)
      if (loaded !== null) scroller.reveal(loaded)
      const position = loaded ?? (await go(id))
      if (hasFocus && position !== null) await focus(position)
    },
  }
}
