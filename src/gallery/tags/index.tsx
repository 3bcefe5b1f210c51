import { useComputed, useSignal } from '@preact/signals'
import { Minus, Pencil, Plus, Share2 } from 'lucide'
import type { RefObject, TargetedMouseEvent } from 'preact'
import { useRef } from 'preact/hooks'
import { holdsFiles, mayAdd, takeDrop } from '../base/drops.ts'
import { number } from '../base/format.ts'
import { looksOnly, mayCreate, session } from '../base/session.ts'
import { locale } from '../base/text.ts'
import { filterByTag, hrefOfTag, usedTags } from '../filter/index.ts'
import { DRAGGED } from '../grid/index.ts'
import { Dot } from '../parts/chip.tsx'
import { Icon } from '../parts/icon.tsx'
import { useView } from '../parts/view.ts'
import { screen } from '../routes.ts'
import { Sharing, type Subject } from '../sharing/index.tsx'
import * as library from '../tag-box/index.ts'
import { problem } from '../text/problem.ts'
import { tagSide as words } from '../text/tag-side.ts'
import {
  heightOf,
  inOrder,
  type Measures,
  type Placed,
  placedBetween,
  sectionsOf,
} from './sections.ts'

const MOUSE: Measures = { heading: 24, row: 28, gap: 16, columns: 1 }
const TOUCH: Measures = { heading: 32, row: 44, gap: 16, columns: 1 }
/** Pixels drawn above and below the visible part. */
const MARGIN = 300

/** Shows all tags by category, each with its number of files; a click shows those. */
export function TagSide() {
  const box = useRef<HTMLElement>(null)
  const { measures, sections, placed } = useSections(box)
  const shared = useSignal<Subject | null>(null)
  const share = (subject: Subject) => {
    shared.value = subject
  }

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
  const isEmpty = library.areTagsLoaded.value && sections.length === 0
  return (
    <>
      <nav
        class="tags"
        aria-label={words().tags}
        ref={box}
        onDragOver={offer}
        onDragLeave={() => mark(null)}
        onDrop={take}
      >
        {isEmpty && !looksOnly() && (
          <p class="muted small">
            {words().noTags}{' '}
            {mayCreate() && (
              <a class="link" href="/tags">
                {words().newTag}
              </a>
            )}
          </p>
        )}
        <div class="all" style={{ height: `${heightOf(sections, measures)}px` }}>
          {placed.map((one) => (
            <SectionOf key={one.section.id} placed={one} measures={measures} share={share} />
          ))}
        </div>
        {!looksOnly() && (
          <a
            class="edit-tags"
            href="/tags"
            aria-current={screen.value === 'tags' ? 'page' : undefined}
          >
            <Icon of={Pencil} />
            {words().editTags}
          </a>
        )}
      </nav>
      {shared.value && (
        <Sharing
          of={shared.value}
          onShared={library.reloadTags}
          onClose={() => {
            shared.value = null
          }}
        />
      )}
    </>
  )
}

/** Returns the sections that have tags, and those of them that are drawn. */
function useSections(box: RefObject<HTMLElement | null>) {
  const view = useView(box)
  const measures = useComputed(() => (matchMedia('(pointer: coarse)').matches ? TOUCH : MOUSE))
  const sections = useComputed(() => {
    const categories = inOrder(library.categories.value, locale.value)
    const all = sectionsOf(library.tags.value, categories, locale.value)
    return all.filter(({ tags }) => tags.length > 0)
  })
  const placed = useComputed(() => {
    const { top, height } = view.value
    return placedBetween(sections.value, measures.value, top - MARGIN, top + height + MARGIN)
  })
  return { measures: measures.value, sections: sections.value, placed: placed.value }
}

interface SectionProps {
  placed: Placed<library.Tag>
  measures: Measures
  share(subject: Subject): void
}

function SectionOf({ placed, measures, share }: SectionProps) {
  const { section, top, height, first, end } = placed
  return (
    <section style={{ top: `${top}px`, height: `${height - measures.gap}px` }}>
      <h3 style={{ height: `${measures.heading}px` }}>
        {section.id !== '' && <Dot color={section.color && `#${section.color}`} />}
        <span class="name">{section.name ?? words().noCategory}</span>
        {section.id !== '' && !looksOnly() && (
          <ShareOf name={section.name!} act={() => share({ category_id: section.id })} />
        )}
      </h3>
      <ul style={{ paddingTop: `${first * measures.row}px` }}>
        {section.tags.slice(first, end).map((tag) => (
          <li key={tag.id} style={{ height: `${measures.row}px` }}>
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
            {usedTags.value.size > 0 && !usedTags.value.has(tag.id) && (
              <button
                type="button"
                class="with"
                tabIndex={-1}
                aria-label={words().with(tag.name)}
                title={words().with(tag.name)}
                onClick={() => filterByTag(tag.id, 'too')}
              >
                <Icon of={Plus} />
              </button>
            )}
            {isOwn(tag) && <ShareOf name={tag.name} act={() => share({ tag_id: tag.id })} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function ShareOf({ name, act }: { name: string; act(): void }) {
  const label = words().share(name)
  return (
    <button
      type="button"
      class="to-share"
      tabIndex={-1}
      aria-label={label}
      title={label}
      onClick={act}
    >
      <Icon of={Share2} />
    </button>
  )
}

function isOwn({ creator_id }: library.Tag): boolean {
  const { user } = session.value!
  return user.is_admin || user.id === creator_id
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

/** Whether a tag accepts what is dragged: files of the grid, or of this device. */
const isTaken = (event: DragEvent) =>
  (!looksOnly() && event.dataTransfer?.types.includes(DRAGGED)) || (holdsFiles(event) && mayAdd())

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

function mark(link: HTMLElement | null): void {
  if (marked === link) return
  marked?.classList.remove('target')
  link?.classList.add('target')
  marked = link
}
