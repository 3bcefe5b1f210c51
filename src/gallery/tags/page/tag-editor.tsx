import { ChevronDown, Pencil, Trash2 } from 'lucide'
import { locale } from '../../base/text.ts'
import { hrefOfTag } from '../../filter/index.ts'
import { Dot } from '../../parts/chip.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu } from '../../parts/menu.tsx'
import { categories, colorOf, Swatches, type Tag } from '../../tagging/index.ts'
import { tagPage } from '../../text/tag-page.ts'
import { inOrder } from '../sections.ts'
import { editTag, removeTag } from './changes.ts'
import { Fold, Text, Title } from './fields.tsx'
import { Merge } from './merge.tsx'
import { Rules } from './rules.tsx'
import { WhoSees } from './seen-by.tsx'
import { close } from './state.ts'
import { useFiles } from './totals.ts'

export function TagEditor({ tag }: { tag: Tag }) {
  const words = tagPage()
  const files = useFiles(tag.id).value
  return (
    <>
      <Title name={tag.name} color={colorOf(tag)}>
        {files !== undefined && (
          <a class="link small" href={hrefOfTag(tag.id)}>
            {words.files(files)}
          </a>
        )}
      </Title>
      <div class="two">
        <div class="field">
          <span aria-hidden="true">{words.name}</span>
          <Text
            label={words.name}
            value={tag.name}
            onLeave={(name) => name !== '' && void editTag(tag, { name })}
          />
        </div>
        <div class="field">
          <span aria-hidden="true">{words.category}</span>
          <CategoryMenu tag={tag} />
        </div>
      </div>
      <Swatches
        chosen={tag.color}
        none={words.ofCategory}
        onChoose={(color) => void editTag(tag, { color })}
      />
      <Fold icon={Pencil} label={words.notes} hint={tag.notes ?? ''}>
        <div class="field">
          <span aria-hidden="true">{words.notes}</span>
          <Text
            label={words.notes}
            value={tag.notes ?? ''}
            hasLines
            onLeave={(text) => void editTag(tag, { notes: text || null })}
          />
        </div>
      </Fold>
      <WhoSees type="tag" of={tag} />
      <Rules tag={tag} />
      <Merge tag={tag} />
      <div class="line last">
        <span class="rest small muted">{files !== undefined && words.loseIt(files)}</span>
        <button
          type="button"
          class="btn warn"
          onClick={() => {
            close({ isGone: true })
            void removeTag(tag)
          }}
        >
          <Icon of={Trash2} />
          {words.deleteTag(tag.name)}
        </button>
      </div>
    </>
  )
}

function CategoryMenu({ tag }: { tag: Tag }) {
  const words = tagPage()
  const own = tag.category_name === null ? null : tag.category_id
  const put = (category_id: string | null) => {
    if (category_id !== own) void editTag(tag, { category_id })
  }
  const name = tag.category_name ?? words.noCategory
  return (
    <Menu
      class="input"
      label={`${words.category}: ${name}`}
      items={[
        ...inOrder(categories.value, locale.value).map(({ id, name }) => ({
          text: name,
          isChosen: id === own,
          act: () => put(id),
        })),
        { text: words.noCategory, isChosen: own === null, act: () => put(null) },
      ]}
    >
      {own !== null && <Dot color={tag.category_color && `#${tag.category_color}`} />}
      <span class="rest">{name}</span>
      <Icon of={ChevronDown} />
    </Menu>
  )
}
