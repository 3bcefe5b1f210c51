import { useComputed, useSignal } from '@preact/signals'
import { TriangleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ApiError } from '../base/error.ts'
import { type Keys, useKeys } from '../base/keys.ts'
import { Icon } from '../parts/icon.tsx'
import { complain } from '../parts/toast.tsx'
import { hrefOf, screen } from '../routes.ts'
import { grid } from '../text/grid.ts'
import { problem } from '../text/problem.ts'
import { Day, type Drawing } from './day.tsx'
import type { Step } from './geometry.ts'
import { type Lasso, watchMouse } from './gestures/mouse.ts'
import { watchTouch } from './gestures/touch.ts'
import type { OpenFiles } from './listing/files.ts'
import { Scrubber } from './scrubber/scrubber.tsx'
import type { Selection } from './selection.ts'
import { retry } from './thumbnails/thumbnails.ts'
import type { View } from './view.ts'

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
    if (from !== null && selection.count.peek() === 0) selection.toggle([id!], from)
    const position = await view.step(where)
    if (position !== null) await selection.extend(position)
  }
  const extended = (where: Step) => () => void extend(where)().catch(complain)
  const page = (pages: number) => () => scroller.move(pages * PAGE * scroller.view().height)
  const end = (position: () => number) => () => void view.focus(position()).catch(complain)
  return {
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
    Space: () => {
      const id = view.focused.peek()
      const position = id === null ? null : files.positionOf(id)
      if (id !== null && position !== null) selection.toggle([id], position)
    },
    'Ctrl+A': () => selection.all(),
    Escape: () => selection.clear(),
  }
}

interface GridProps {
  /** Names the listing for screen readers: `Photos with Arezzo`. */
  label?: string
  empty: ComponentChildren
}

interface Parts {
  files: OpenFiles
  view: View
  selection: Selection
}

/** Returns the component that shows the grid of a view. */
export function gridOf({ files, view, selection }: Parts) {
  const { scroller, geometry, look } = view

  return function Grid({ label, empty }: GridProps) {
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
            <Blocks />
            {lasso.value && <Rectangle {...lasso.value} />}
          </div>
          {(isEmpty || isRefused) && empty}
          {error && !isRefused && <Failure error={error} retry={() => files.reopen()} />}
        </div>
        <Scrubber files={files} view={view} />
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
    const day = target.closest<HTMLElement>('[data-day]')
    if (day) {
      const { day: first, end } = day.dataset
      // Days that share a row are of one block; a single one may go on in others.
      const ids = end ? files.ids(Number(first), Number(end)) : files.idsOfDay(Number(first))
      selection.toggleLater(ids).catch(complain)
    }
    const cell = target.closest<HTMLElement>('.cell')
    if (!cell || failed || event.defaultPrevented || event.ctrlKey || event.metaKey) return
    const position = Number(cell.dataset.position)
    const id = cell.querySelector('a')!.dataset.id!
    const isChoosing = selection.count.peek() > 0
    if (event.shiftKey && isChoosing) {
      event.preventDefault()
      selection.extend(position).catch(complain)
    } else if (isChoosing || event.shiftKey || target.closest('.tick')) {
      event.preventDefault()
      selection.toggle([id], position)
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
