import { useSignal } from '@preact/signals'
import { ChevronDown, Merge as MergeIcon, Trash2 } from 'lucide'
import { api } from '../../base/api.ts'
import { ApiError } from '../../base/error.ts'
import { locale } from '../../base/text.ts'
import { hrefOfTag } from '../../filter/index.ts'
import { Dot } from '../../parts/chip.tsx'
import { FilledBy } from '../../parts/filled-by.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu } from '../../parts/menu.tsx'
import { toast } from '../../parts/toast.tsx'
import { replace } from '../../routes.ts'
import {
  addTag,
  categories,
  colorOf,
  correctCounts,
  reloadTags,
  rules,
  Swatches,
  showTags,
  type Tag,
} from '../../tag-box/index.ts'
import { problem } from '../../text/problem.ts'
import { tagPage } from '../../text/tag-page.ts'
import { inOrder } from '../sections.ts'
import { change, editTag, removeTag } from './changes.ts'
import { Fold, Notes, Text, Title } from './fields.tsx'
import { Rules } from './rules.tsx'
import { WhoSees } from './seen-by.tsx'
import { close, hrefOfOpen, mergeInto, useFiles, useShared } from './state.ts'
import { TagPicker } from './tag-picker.tsx'
import { rulesTakenOver } from './taken-over.ts'

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
      <Notes value={tag.notes} onLeave={(notes) => void editTag(tag, { notes })} />
      <WhoSees type="tag" of={tag} />
      <Rules tag={tag} />
      <Merge tag={tag} />
      <div class="line last">
        <span class="rest small muted">
          {files !== undefined && words.loseIt(files)}
          <FilledBy token={`t=${tag.id}`} />
        </span>
        <button
          type="button"
          class="btn warn"
          onClick={() => {
            close({ isGone: true })
            void removeTag(tag)
          }}
        >
          <Icon of={Trash2} />
          {words.delete}
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

/** Merges a tag into another one, and explains the effect on both before. */
function Merge({ tag }: { tag: Tag }) {
  const words = tagPage()
  const into = mergeInto.value?.from === tag.id ? mergeInto.value.into : null
  return (
    <Fold key={into?.id} icon={MergeIcon} label={words.mergeWithAnother} isOpen={into !== null}>
      <Choice key={into?.id} tag={tag} suggested={into} />
    </Fold>
  )
}

function Choice({ tag, suggested }: { tag: Tag; suggested: Tag | null }) {
  const words = tagPage()
  const into = useSignal(suggested)
  return (
    <div class="merge">
      <div class="line">
        <Icon of={MergeIcon} />
        <b>{words.mergeInto}</b>
        <TagPicker label={words.otherTag} chosen={into} without={new Set([tag.id])} />
      </div>
      {into.value && <Outcome key={into.value.id} tag={tag} into={into.value} />}
    </div>
  )
}

function Outcome({ tag, into }: { tag: Tag; into: Tag }) {
  const words = tagPage()
  const shared = useShared(tag.id, into.id).value
  if (!shared) return <p class="muted">…</p>
  const { both, first } = shared
  return (
    <>
      <p>
        {words.merging(into.name, { both, first })}{' '}
        {words.keeps(into.name, rulesTakenOver(rules.value, tag.id, into.id))}{' '}
        {words.isGone(tag.name)}
      </p>
      <button
        type="button"
        class="btn"
        onClick={() => {
          mergeInto.value = null
          replace(hrefOfOpen(into.id))
          void mergeTags(tag, into, first)
        }}
      >
        {words.merge(both + first)}
      </button>
    </>
  )
}

/** Merges a tag into another one; `lacking` files get that in addition. */
async function mergeTags(tag: Tag, into: Tag, lacking: number): Promise<void> {
  const words = tagPage()
  showTags((all) => all.filter(({ id }) => id !== tag.id))
  const params = { path: { tag_id: tag.id } }
  const done = await change({
    subject: tag.id,
    call: () => api.POST('/api/v1/tags/{tag_id}/merge', { params, body: { into: into.id } }),
    back: () => addTag(tag),
    failed: (error) => words.notMerged(tag.name, into.name, whyNot(error)),
  })
  if (!done) return
  correctCounts([into.id], lacking)
  // The rules of the merged tag now belong to the other one.
  void reloadTags()
  toast({ text: words.merged(tag.name, into.name), operation: done.operation })
}

function whyNot(error: unknown): string {
  const isConflict = error instanceof ApiError && error.code === 'conflict'
  return isConflict ? tagPage().noMerge : problem(error)
}
