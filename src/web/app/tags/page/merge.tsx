import { useSignal } from '@preact/signals'
import { Merge as MergeIcon } from 'lucide'
import { Icon } from '../../parts/icon.tsx'
import { replace } from '../../routes.ts'
import { rules, type Tag } from '../../tagging/index.ts'
import { tagPage } from '../../text/tag-page.ts'
import { Fold } from './fields.tsx'
import { mergeTags } from './merge-changes.ts'
import { hrefOfOpen, mergeInto } from './state.ts'
import { TagPicker } from './tag-picker.tsx'
import { rulesTakenOver } from './taken-over.ts'
import { useShared } from './totals.ts'

/** Merging a tag into another one: what becomes of both is said before. */
export function Merge({ tag }: { tag: Tag }) {
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

/** What merging does, and the button for it. */
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
        {words.merge(tag.name, into.name, both + first)}
      </button>
    </>
  )
}
