import { useComputed, useSignal } from '@preact/signals'
import { TriangleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ApiError } from '../base/error.ts'
import { type Keys, useKeys } from '../base/keys.ts'
import { Icon } from '../parts/icon.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { complain } from '../parts/toast.tsx'
import { hrefOf, screen } from '../routes.ts'
import { grid } from '../text/grid.ts'
import { problem } from '../text/problem.ts'
import { Day, type Drawing } from './day.tsx'
import type { Step } from './geometry.ts'
import { type Lasso, watchMouse } from './gestures/mouse.ts'
import { watchTouch } from './gestures/touch.ts'
import type { OpenFiles } from './listing/files.ts'
import type { Selection } from './selection.ts'
import { retry } from './thumbnails/thumbnails.ts'
import type { View } from './view.ts'

const scrubber = async () => (await import('./scrubber/scrubber.tsx')).Scrubber

/** The part of a screen that Page Up and Down scroll; the rest stays visible. */
const PAGE = 0.9

function keysOf({
  files,
  view,
  selection,
}: {
  files: OpenFiles
  view: View
  selection: Selection
}): Keys {
  const { scroller } = view
  const step = (where: Step) => () => void view.step(where).catch(complain)
  const extend = (where: Step) => async () => {
    const id = view.focused.peek()
    const from = id === null ? null : files.positionOf(id)
    if (from !== null && selection.count.peek() === 0) selection.toggle(view.tile(from).ids, from)
    const position = await view.step(where)
    if (position !== null) await selection.extend(position, view.tile(position).last)
  }
  const extended = (where: Step) => () => void extend(where)().catch(complain)
  const page = (pages: number) => () => scroller.move(pages * PAGE * scroller.view().height)
  const end = (position: () => number) => () => void view.focus(position()).catch(complain)
  return {
    f: ({ target }) =>
      isAbove(target)
        ? undefined
        : toggleHeart(files, (target as HTMLElement).dataset.id ?? view.focused.peek()),
    ArrowLeft: step('left'),
    ArrowRight: step('right'),
    ArrowUp: step('up'),
    ArrowDown: step('down'),
    Home: step('row-start'),
    End: step('row-end'),
    'Shift+ArrowLeft': extended('left'),
    'Shift+ArrowRight': extended('right'),
    'Shift+ArrowUp': extended('up'),
    'Shift+ArrowDown': extended('down'),
    'Ctrl+Home': end(() => 0),
    'Ctrl+End': end(() => Math.max(0, (files.shown.peek()?.blocks.end() ?? 1) - 1)),
    PageUp: page(-1),
    PageDown: page(1),
    'Shift+PageUp': () => view.month(-1),
    'Shift+PageDown': () => view.month(1),
    'Shift+Space': () =>
      slideshow(({ playListing }) => playListing(files, view.focused.peek() ?? undefined)),
    Space: ({ target }) => {
      if (isAbove(target)) return
      const id = view.focused.peek()
      const position = id === null ? null : files.positionOf(id)
      if (position !== null) selection.toggle(view.tile(position).ids, position)
    },
    'Ctrl+A': () => selection.all(),
    Escape: () => selection.clear(),
  }
}

/** Returns whether something stands above the photos, where none of them has the focus. */
function isAbove(target: EventTarget | null): boolean {
  return (target as Element).closest('.thisday') !== null
}

function toggleHeart(files: OpenFiles, id: string | null): void {
  import('../favourites/index.ts')
    .then((favourites) => favourites.toggleHeart(files, id))
    .catch(complain)
}

function slideshow(start: (module: typeof import('../slideshow/index.ts')) => void): void {
  import('../slideshow/index.ts').then(start).catch(complain)
}

interface GridProps {
  /** Names the listing for screen readers: `Photos with Arezzo`. */
  label?: string
  empty: ComponentChildren
  /** What stands above the files, and scrolls with them. */
  top?: ComponentChildren
}

interface Parts {
  files: OpenFiles
  view: View
  selection: Selection
}

/** Returns the component that shows the grid of a view. */
export function gridOf({ files, view, selection }: Parts) {
  const { scroller, geometry, look } = view

  return function Grid({ label, empty, top }: GridProps) {
    const element = useRef<HTMLDivElement>(null)
    const canvas = useRef<HTMLDivElement>(null)
    const lasso = useSignal<Lasso | null>(null)
    // Before painting, because pictures wait for it.
    useLayoutEffect(() => {
      const parts = { files, view, selection }
      const stops = [
        view.attach(element.current!, canvas.current!),
        watchMouse(element.current!, canvas.current!, parts, lasso),
        watchTouch(element.current!, parts),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    }, [])
    useKeys('grid', keysOf({ files, view, selection }))
    const isEmpty = useComputed(() => files.total.value === 0 && files.shown.value !== null).value
    const error = files.error.value
    // An address may have a filter that nobody understands; the trash has none.
    const isRefused = error?.code === 'validation_error' && screen.value !== 'trash'
    return (
      <div class="photos">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: what is clicked are links, buttons and cells in it */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of useKeys */}
        <div class="grid" ref={element} onClick={(event) => click(event)}>
          <h1 class="hidden">{label ?? grid().photos}</h1>
          <div class="canvas" ref={canvas}>
            {top && <Top>{top}</Top>}
            <Blocks />
            {lasso.value && <Rectangle {...lasso.value} />}
          </div>
          {(isEmpty || isRefused) && empty}
          {error && !isRefused && <Failure error={error} retry={() => files.reopen()} />}
        </div>
        {view.wasSeen.value && <OnDemand load={scrubber} files={files} view={view} />}
      </div>
    )
  }

  function Top({ children }: { children: ComponentChildren }) {
    const element = useRef<HTMLDivElement>(null)
    const { blocks, base } = scroller.drawn.value
    const lead = view.lead.value
    useLayoutEffect(() => {
      const own = element.current!
      const observer = new ResizeObserver(() => {
        view.lead.value = own.offsetHeight
      })
      observer.observe(own)
      return () => {
        observer.disconnect()
        view.lead.value = 0
      }
    }, [])
    useLayoutEffect(() => {
      // It came above what stood at the top, which then moves down in view instead of at a jump.
      if (scroller.view().y !== lead) return
      const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
      const behavior = isCalm ? 'instant' : 'smooth'
      element.current!.closest('.grid')!.scrollTo({ top: 0, behavior })
    }, [lead])
    // Far above the view, nobody should get there by Tab.
    const visibility = blocks[0]?.index === 0 ? 'visible' : 'hidden'
    return (
      <div class="top" ref={element} style={{ top: `${-base}px`, visibility }}>
        {children}
      </div>
    )
  }

  function Blocks() {
    const { blocks, base } = scroller.drawn.value
    const now = geometry.value
    const shown = files.shown.value
    useLayoutEffect(() => view.rendered())
    if (!now || !shown || !look.value) return null
    const pattern = hrefOf({ path: '/f/-', at: null })
    const drawn = new Set<string>()
    for (const { index, parts } of blocks) {
      const { ids } = shown.blocks.list[index]?.files ?? { ids: [] }
      for (const part of parts ?? []) {
        for (const { first, end } of part.visible) {
          for (let at = first; at < end; at++) drawn.add(ids[at]!)
        }
      }
    }
    const focused = view.focused.value
    const first = files.peek(scroller.place.value)?.id
    const drawing: Drawing = {
      selection,
      hrefOf: (id) => pattern.replace('/f/-', `/f/${id}`),
      tabStop: focused !== null && drawn.has(focused) ? focused : (first ?? null),
      gap: look.value.gap,
      heading: look.value.heading,
    }
    return (
      <>
        {blocks.flatMap((block) => {
          const { files: own, first } = shown.blocks.list[block.index] ?? { files: null, first: 0 }
          if (!block.parts || !own) {
            const style = { top: `${block.y - base}px`, height: `${block.height}px` }
            return <div key={block.index} class="unloaded" style={style} />
          }
          return block.parts.map((part) => (
            <Day
              key={`${block.index}-${part.first}`}
              block={block}
              part={part}
              files={own}
              first={first}
              base={base}
              count={part.hasHeading ? now.filesOfDay(block.index, part) : null}
              drawing={drawing}
            />
          ))
        })}
      </>
    )
  }

  function Rectangle({ left, top, right, bottom }: Lasso) {
    const style = {
      left: `${left}px`,
      top: `${top - scroller.drawn.value.base}px`,
      width: `${right - left}px`,
      height: `${bottom - top}px`,
    }
    return <div class="lasso" style={style} />
  }

  function click(event: MouseEvent): void {
    const target = event.target as Element
    const failed = target.closest<HTMLElement>('[data-retry]')
    if (failed) retry(failed.dataset.retry!)
    const day = target.closest<HTMLElement>('[data-day], [data-play]')
    if (day) {
      const { day: first, play, end } = day.dataset
      const from = Number(first ?? play)
      // Days that share a row are of one block; a single one may go on in others.
      const ids = () => (end ? files.ids(from, Number(end)) : files.idsOfDay(from))
      if (first) selection.toggleLater(ids()).catch(complain)
      else slideshow(({ playFiles }) => playFiles(ids))
    }
    const cell = target.closest<HTMLElement>('.cell')
    if (!cell || failed || event.defaultPrevented || event.ctrlKey || event.metaKey) return
    const position = Number(cell.dataset.position)
    if (target.closest('.heart')) {
      toggleHeart(files, cell.querySelector('a')!.dataset.id!)
      return
    }
    const { ids, last } = view.tile(position)
    const isChoosing = selection.count.peek() > 0
    if (event.shiftKey && isChoosing) {
      event.preventDefault()
      selection.extend(position, last).catch(complain)
    } else if (isChoosing || event.shiftKey || target.closest('.tick')) {
      event.preventDefault()
      selection.toggle(ids, position)
    }
  }
}

/** Shows why files could not be read, with a button to try again. */
export function Failure({ error, retry }: { error: ApiError; retry(): void }) {
  return (
    <div class="void" role="alert">
      <Icon of={TriangleAlert} />
      <h2>{grid().failed}</h2>
      <p class="muted">{problem(error)}</p>
      <button type="button" class="btn" onClick={retry}>
        {grid().retry}
      </button>
    </div>
  )
}
