import { ArrowRight, Pencil } from 'lucide'
import { number } from '../../base/format.ts'
import { Dot } from '../../parts/chip.tsx'
import { Icon } from '../../parts/icon.tsx'
import { areFilesCounted, categories, filesOf, type Tag } from '../../tagging/index.ts'
import { tagPage } from '../../text/tag-page.ts'
import type { Measures, Placed } from '../sections.ts'
import { beginDrag, endDrag } from './drag.ts'
import { SeenInShort } from './seen-by.tsx'
import { hrefOfOpen, openId, withRules } from './state.ts'

interface SectionProps {
  placed: Placed<Tag>
  measures: Measures
}

/** Shows a category, or the tags without one, with its tags. */
export function CategorySection({ placed, measures }: SectionProps) {
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
