import { useComputed, useSignal } from '@preact/signals'
import { Minus } from 'lucide'
import type { TargetedMouseEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { holdsFiles, mayAdd, takeDrop } from '../base/drops.ts'
import { number } from '../base/format.ts'
import { locale } from '../base/text.ts'
import { filterByTag, hrefOfTag, usedTags } from '../filter/index.ts'
import { DRAGGED } from '../grid/index.ts'
import { Dot } from '../parts/chip.tsx'
import { Icon } from '../parts/icon.tsx'
import * as library from '../tagging/index.ts'
import { problem } from '../text/problem.ts'
import { tags as words } from '../text/tags.ts'
import { type Heights, heightOf, type Placed, placedBetween, sectionsOf } from './sections.ts'

const MOUSE: Heights = { heading: 24, row: 28, gap: 16 }
const TOUCH: Heights = { heading: 32, row: 44, gap: 16 }
/** Pixels drawn above and below what is seen. */
const MARGIN = 300

/** All tags by category, each with its number of files; a click shows those. */
export function TagSide() {
  const box = useRef<HTMLElement>(null)
  const view = useSignal({ top: 0, height: 0 })
  const heights = useComputed(() => (matchMedia('(pointer: coarse)').matches ? TOUCH : MOUSE))
  const sections = useComputed(() => sectionsOf(library.tags.value, locale.value))
  const placed = useComputed(() => {
    const { top, height } = view.value
    return placedBetween(sections.value, heights.value, top - MARGIN, top + height + MARGIN)
  })

  useEffect(() => {
    const element = box.current!
    const look = () => {
      view.value = { top: element.scrollTop, height: element.clientHeight }
    }
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => observer.disconnect()
  }, [])

  if (library.tagsError.value && !library.areTagsLoaded.value) {
    return (
      <nav class="tags" aria-label={words().tags} ref={box}>
        <p class="muted small">{problem(library.tagsError.value)}</p>
        <button type="button" class="btn quiet" onClick={library.reloadTags}>
          {words().retry}
        </button>
      </nav>
    )
  }
  const isEmpty = library.areTagsLoaded.value && sections.value.length === 0
  return (
    <nav
      class="tags"
      aria-label={words().tags}
      ref={box}
      onDragOver={offer}
      onDragLeave={() => mark(null)}
      onDrop={take}
    >
      {isEmpty && <p class="muted small">{words().noTags}</p>}
      <div class="all" style={{ height: `${heightOf(sections.value, heights.value)}px` }}>
        {placed.value.map((one) => (
          <SectionOf key={one.section.id} placed={one} heights={heights.value} />
        ))}
      </div>
    </nav>
  )
}

function SectionOf({ placed, heights }: { placed: Placed<library.Tag>; heights: Heights }) {
  const { section, top, height, first, end } = placed
  return (
    <section style={{ top: `${top}px`, height: `${height - heights.gap}px` }}>
      <h3 style={{ height: `${heights.heading}px` }}>
        {section.id !== '' && <Dot color={section.color && `#${section.color}`} />}
        {section.name ?? words().noCategory}
      </h3>
      <ul style={{ paddingTop: `${first * heights.row}px` }}>
        {section.tags.slice(first, end).map((tag) => (
          <li key={tag.id} style={{ height: `${heights.row}px` }}>
            <TagLink tag={tag} />
            <button
              type="button"
              class="without"
              tabIndex={-1}
              aria-label={words().without(tag.name)}
              title={words().without(tag.name)}
              onClick={() => filterByTag(tag.id, 'without')}
            >
              <Icon of={Minus} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function TagLink({ tag }: { tag: library.Tag }) {
  const used = usedTags.value.get(tag.id)
  return (
    <a
      href={hrefOfTag(tag.id)}
      data-tag={tag.id}
      title={words().hint}
      onClick={(event) => pick(event, tag.id)}
      class={used === 'without' ? 'not' : undefined}
      aria-current={used === 'with' ? 'true' : undefined}
    >
      <span class="name">{tag.name}</span>
      {library.areFilesCounted.value && <span class="n">{number(library.filesOf(tag.id))}</span>}
    </a>
  )
}

const tagAt = (event: Event) => (event.target as Element).closest<HTMLElement>('[data-tag]')

/** Ctrl and a click open another tab, as with all links. */
function pick(event: TargetedMouseEvent<HTMLElement>, tagId: string): void {
  if (event.ctrlKey || event.metaKey || event.button !== 0) return
  event.preventDefault()
  filterByTag(tagId, event.altKey ? 'without' : event.shiftKey ? 'too' : 'alone')
}

/** Whether a tag takes what is dragged: files of the grid, or of this device. */
const isTaken = (event: DragEvent) =>
  event.dataTransfer?.types.includes(DRAGGED) || (holdsFiles(event) && mayAdd())

function offer(event: DragEvent): void {
  const link = isTaken(event) ? tagAt(event) : null
  mark(link)
  if (!link) return
  event.preventDefault()
  event.dataTransfer!.dropEffect = 'copy'
}

function take(event: DragEvent): void {
  const link = tagAt(event)
  mark(null)
  if (!link || !isTaken(event)) return
  const tagId = link.dataset.tag!
  const dragged = event.dataTransfer!.getData(DRAGGED)
  if (!dragged) takeDrop(event, tagId)
  else {
    event.preventDefault()
    void library.tagFiles(JSON.parse(dragged), tagId)
  }
}

let marked: HTMLElement | null = null

/** Shows on which tag files would fall. */
function mark(link: HTMLElement | null): void {
  if (marked === link) return
  marked?.classList.remove('target')
  link?.classList.add('target')
  marked = link
}
