import { useComputed } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { mayCreate } from '../../base/session.ts'
import { locale } from '../../base/text.ts'
import { useView } from '../../parts/view.ts'
import {
  areTagsLoaded,
  categories,
  filesOf,
  findTags,
  tagIndex,
  tags,
} from '../../tagging/index.ts'
import { tagPage } from '../../text/tag-page.ts'
import { heightOf, inOrder, type Measures, placedBetween, sectionsOf, topOf } from '../sections.ts'
import { dropTarget } from './drag.ts'
import { CategorySection } from './section.tsx'
import { making, openId, sorting, wanted } from './state.ts'

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
    const { top, height } = view.value
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
