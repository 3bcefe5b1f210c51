import { ArrowDownWideNarrow, Plus, Search } from 'lucide'
import type { RefObject } from 'preact'
import { Icon, Kbd } from '../../parts/icon.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Seg } from '../../parts/seg.tsx'
import { go } from '../../routes.ts'
import { findTags, tagIndex, tags } from '../../tag-box/index.ts'
import { tagPage } from '../../text/tag-page.ts'
import { hrefOfOpen, isNarrow, isTight, making, sorting, wanted } from './state.ts'

interface BarProps {
  find: RefObject<HTMLInputElement | null>
  mayMake: boolean
}

/** The bar above the tags: search, order, and buttons to create tags and categories. */
export function Bar({ find, mayMake }: BarProps) {
  const words = tagPage()
  const makeTag = () => {
    making.value = 'tag'
  }
  const makeCategory = () => {
    making.value = 'category'
  }
  return (
    <div class="bar">
      <h1 class={isNarrow.value ? 'hidden' : undefined}>{words.heading}</h1>
      <Find input={find} />
      {!isNarrow.value && <span class="rest" />}
      <Sorting />
      {mayMake && !isTight.value && (
        <>
          <button type="button" class="btn" onClick={makeCategory}>
            <Icon of={Plus} />
            {words.newCategory}
          </button>
          <button type="button" class="btn primary" onClick={makeTag}>
            <Icon of={Plus} />
            {words.newTag}
          </button>
        </>
      )}
      {mayMake && isTight.value && (
        <Menu
          class="btn primary icononly"
          label={words.newTag}
          items={[
            { text: words.newTag, act: makeTag },
            { text: words.newCategory, act: makeCategory },
          ]}
        >
          <Icon of={Plus} />
        </Menu>
      )}
    </div>
  )
}

function Find({ input }: { input: RefObject<HTMLInputElement | null> }) {
  const words = tagPage()
  return (
    <search class="input find">
      <Icon of={Search} />
      <input
        ref={input}
        type="text"
        autocomplete="off"
        spellcheck={false}
        aria-label={words.find}
        placeholder={tags.value.length > 0 ? words.findOne(tags.value.length) : words.find}
        value={wanted}
        onInput={({ currentTarget }) => {
          wanted.value = currentTarget.value
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            const [best] = findTags(tagIndex.value, wanted.value, 1)
            if (best) go(hrefOfOpen(best.tag.id))
          }
          if (event.key !== 'Escape') return
          event.preventDefault()
          wanted.value = ''
          event.currentTarget.blur()
        }}
      />
      <Kbd of="/" />
    </search>
  )
}

/** By name or by count; a menu where there is little room. */
function Sorting() {
  const words = tagPage()
  const options = { name: words.byName, count: words.byCount }
  const choose = (value: keyof typeof options) => {
    sorting.value = value
  }
  if (isTight.value) {
    return (
      <Menu
        class="btn icononly"
        label={words.order}
        items={(['name', 'count'] as const).map((value) => ({
          text: options[value],
          isChosen: sorting.value === value,
          act: () => choose(value),
        }))}
      >
        <Icon of={ArrowDownWideNarrow} />
      </Menu>
    )
  }
  return <Seg label={words.order} value={sorting.value} options={options} onChange={choose} />
}
