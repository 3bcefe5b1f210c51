import { useComputed } from '@preact/signals'
import { ArrowRight, Pencil } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { number } from '../../base/format.ts'
import { mayCreate } from '../../base/session.ts'
import { locale } from '../../base/text.ts'
import { Dot } from '../../parts/chip.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useView } from '../../parts/view.ts'
import { go } from '../../routes.ts'
import {
  areFilesCounted,
  areTagsLoaded,
  categories,
  filesOf,
  findTags,
  type Tag,
  tagIndex,
  tags,
  tagsById,
} from '../../tag-box/index.ts'
import { tagPage } from '../../text/tag-page.ts'
import {
  heightOf,
  inOrder,
  type Measures,
  type Placed,
  placedBetween,
  sectionsOf,
  topOf,
} from '../sections.ts'
import { editTag } from './changes.ts'
import { SeenInShort } from './seen-by.tsx'
import { hrefOfOpen, making, mergeInto, openId, sorting, wanted, withRules } from './state.ts'

const TYPE = 'application/x-tagstead-tag'

let dragged: Tag | null = null
let marked: HTMLElement | null = null

function beginDrag({ dataTransfer }: DragEvent, tag: Tag): void {
  dragged = tag
  dataTransfer!.setData(TYPE, tag.id)
  dataTransfer!.effectAllowed = 'move'
}

/** Ends the drag, wherever the tag was dropped. */
function endDrag(): void {
  dragged = null
  mark(null)
}

/** The handlers of an element that accepts tags dropped on a tag or category in it. */
const dropTarget = {
  onDragOver(event: DragEvent): void {
    const taker = takerOf(event)
    mark(taker)
    if (!taker) return
    event.preventDefault()
    event.dataTransfer!.dropEffect = 'move'
  },
  onDragLeave(): void {
    mark(null)
  },
  onDrop(event: DragEvent): void {
    const taker = takerOf(event)
    if (!taker) return
    event.preventDefault()
    const { tag: into, category } = taker.dataset
    if (into !== undefined) askToMerge(dragged!, into)
    else void editTag(dragged!, { category_id: category || null })
    endDrag()
  },
}

function askToMerge(tag: Tag, into: string): void {
  mergeInto.value = { from: tag.id, into: tagsById.peek().get(into)! }
  go(hrefOfOpen(tag.id))
}

/** Returns the other tag, or the other section, that would accept what is dragged. */
function takerOf(event: DragEvent): HTMLElement | null {
  // There is no dragend event when the tag's element was removed from the list, which renders only what
  // is visible.
  if (!dragged || !event.dataTransfer?.types.includes(TYPE)) return null
  const { id, category_id, category_name } = dragged
  const over = event.target as Element
  const link = over.closest<HTMLElement>('[data-tag]')
  if (link) return link.dataset.tag === id ? null : link
  const section = over.closest<HTMLElement>('[data-category]')
  const own = category_name === null ? '' : category_id
  return section?.dataset.category === own ? null : section
}

function mark(taker: HTMLElement | null): void {
  if (marked === taker) return
  marked?.classList.remove('target')
  taker?.classList.add('target')
  marked = taker
}

const MOUSE = { heading: 48, row: 32, gap: 20 }
const TOUCH = { heading: 52, row: 44, gap: 20 }
/** The least width of a tag in pixels, beside a mouse and on phones; and the gap between two. */
const [WIDE, NARROW, BETWEEN] = [196, 150, 16]
/** Pixels drawn above and below the visible part. */
const MARGIN = 300

/** Shows the tags by category, and draws only the visible ones. */
export function List() {
  const words = tagPage()
  const box = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  const view = useView(box)
  const measures = useComputed<Measures>(() => {
    const isTouch = matchMedia('(pointer: coarse)').matches
    const width = view.value.width && inner.current!.clientWidth
    const least = width < 2 * (WIDE + BETWEEN) ? NARROW : WIDE
    const columns = Math.max(1, Math.floor((width + BETWEEN) / (least + BETWEEN)))
    return { ...(isTouch ? TOUCH : MOUSE), columns }
  })
  const sections = useComputed(() => {
    const all = sectionsOf(shownTags(), inOrder(categories.value, locale.value), locale.value)
    if (sorting.value === 'count') {
      for (const section of all) section.tags.sort((a, b) => filesOf(b.id) - filesOf(a.id))
    }
    return wanted.value.trim() === '' ? all : all.filter((section) => section.tags.length > 0)
  })
  const placed = useComputed(() => {
    const { top, height, width } = view.value
    // How many columns there are isn't known yet.
    if (width === 0) return []
    return placedBetween(sections.value, measures.value, top - MARGIN, top + height + MARGIN)
  })
  const isThere = view.value.height > 0 && areTagsLoaded.value
  useEffect(() => {
    const { top: from, height } = view.peek()
    const { row } = measures.peek()
    const top = topOf(sections.peek(), measures.peek(), openId.peek() ?? '')
    // Scrolls to a tag that is new or was opened elsewhere, unless it is visible.
    if (!isThere || top === null || (top >= from && top + 2 * row <= from + height)) return
    box.current!.scrollTop = top - height / 2
  }, [openId.value, isThere, measures.value.columns])
  const isEmpty = areTagsLoaded.value && sections.value.length === 0
  return (
    <div class="cats" ref={box} {...dropTarget}>
      {isEmpty && (wanted.value === '' ? <NoTags /> : <p class="muted">{words.noneFound}</p>)}
      <div
        class="all"
        ref={inner}
        style={{ height: `${heightOf(sections.value, measures.value)}px` }}
      >
        {placed.value.map((one) => (
          <CategorySection key={one.section.id} placed={one} measures={measures.value} />
        ))}
      </div>
      {!isEmpty && categories.value.length > 0 && <p class="hint muted small">{words.dropHint}</p>}
    </div>
  )
}

function shownTags() {
  const text = wanted.value.trim()
  if (text === '') return tags.value
  return findTags(tagIndex.value, text, Number.POSITIVE_INFINITY).map(({ tag }) => tag)
}

function NoTags() {
  const words = tagPage()
  return (
    <div class="void">
      <h2>{words.noTags}</h2>
      <p class="muted">{words.whatFor}</p>
      {mayCreate() && (
        <button
          type="button"
          class="btn primary"
          onClick={() => {
            making.value = 'tag'
          }}
        >
          {words.newTag}
        </button>
      )}
    </div>
  )
}

interface SectionProps {
  placed: Placed<Tag>
  measures: Measures
}

/** Shows a category, or the tags without one, with its tags. */
function CategorySection({ placed, measures }: SectionProps) {
  const words = tagPage()
  const { section, top, height, first, end } = placed
  const { id, name, color, tags } = section
  const category = categories.value.find((one) => one.id === id)
  return (
    <section
      data-category={id}
      aria-label={name ?? words.noCategory}
      style={{ top: `${top}px`, height: `${height}px` }}
    >
      <header style={{ height: `${measures.heading}px` }}>
        {id !== '' && <Dot color={color && `#${color}`} />}
        <h2>{name ?? words.noCategory}</h2>
        <span class="muted small num">
          {words.tags(tags.length)}
          {category && <SeenInShort key={id} category={category} />}
        </span>
        {category && (
          <a
            class="btn quiet"
            href={hrefOfOpen(id)}
            data-id={id}
            aria-label={words.editCategory(category.name)}
            aria-current={openId.value === id ? 'true' : undefined}
          >
            <Icon of={Pencil} />
            <span class="wide">{words.edit}</span>
          </a>
        )}
      </header>
      <ul
        style={{
          paddingTop: `${(first / measures.columns) * measures.row}px`,
          gridTemplateColumns: `repeat(${measures.columns}, minmax(0, 1fr))`,
          gridAutoRows: `${measures.row}px`,
        }}
      >
        {tags.slice(first, end).map((tag) => (
          <li key={tag.id}>
            <TagLink tag={tag} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function TagLink({ tag }: { tag: Tag }) {
  const { id, name } = tag
  return (
    <a
      href={hrefOfOpen(id)}
      data-id={id}
      data-tag={id}
      aria-current={openId.value === id ? 'true' : undefined}
      draggable
      onDragStart={(event) => beginDrag(event, tag)}
      onDragEnd={endDrag}
    >
      <span class="name">{name}</span>
      {withRules.value.has(id) && (
        <>
          <Icon of={ArrowRight} />
          <span class="hidden">{tagPage().hasRules}</span>
        </>
      )}
      {areFilesCounted.value && <span class="n">{number(filesOf(id))}</span>}
    </a>
  )
}
