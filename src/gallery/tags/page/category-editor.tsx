import { ArrowDown, ArrowUp, Trash2 } from 'lucide'
import { locale } from '../../base/text.ts'
import { FilledBy } from '../../parts/filled-by.tsx'
import { Icon } from '../../parts/icon.tsx'
import { type Category, categories, Swatches, tags } from '../../tag-box/index.ts'
import { tagPage } from '../../text/tag-page.ts'
import { inOrder, positionsAfter } from '../sections.ts'
import { editCategory, placeCategories, removeCategory } from './changes.ts'
import { Notes, Text, Title } from './fields.tsx'
import { WhoSees } from './seen-by.tsx'
import { close } from './state.ts'

export function CategoryEditor({ category }: { category: Category }) {
  const words = tagPage()
  const count = tags.value.filter((tag) => tag.category_id === category.id).length
  return (
    <>
      <Title name={category.name} color={category.color && `#${category.color}`}>
        <span class="muted small">{words.tags(count)}</span>
      </Title>
      <div class="field">
        <span aria-hidden="true">{words.name}</span>
        <Text
          label={words.name}
          value={category.name}
          onLeave={(name) => name !== '' && void editCategory(category, { name })}
        />
      </div>
      <Swatches
        chosen={category.color}
        none={words.noColor}
        onChoose={(color) => void editCategory(category, { color })}
      />
      <Notes value={category.notes} onLeave={(notes) => void editCategory(category, { notes })} />
      <WhoSees type="category" of={category} />
      <Place category={category} />
      <div class="line last">
        <span class="rest small muted">
          {count > 0 && words.stay(count)}
          <FilledBy token={`c=${category.id}`} />
        </span>
        <button
          type="button"
          class="btn warn"
          onClick={() => {
            close({ isGone: true })
            void removeCategory(category)
          }}
        >
          <Icon of={Trash2} />
          {words.delete}
        </button>
      </div>
    </>
  )
}

function Place({ category }: { category: Category }) {
  const words = tagPage()
  const ordered = inOrder(categories.value, locale.value)
  const place = ordered.indexOf(category)
  const move = (by: number) => void placeCategories(positionsAfter(ordered, place, place + by))
  return (
    <div>
      <h3 class="label">{words.place}</h3>
      <div class="line">
        <button type="button" class="btn" disabled={place === 0} onClick={() => move(-1)}>
          <Icon of={ArrowUp} />
          {words.up}
        </button>
        <button
          type="button"
          class="btn"
          disabled={place === ordered.length - 1}
          onClick={() => move(1)}
        >
          <Icon of={ArrowDown} />
          {words.down}
        </button>
      </div>
    </div>
  )
}
