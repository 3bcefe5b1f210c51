import { useSignal } from '@preact/signals'
import { Merge as MergeIcon } from 'lucide'
import { api } from '../../base/api.ts'
import { ApiError } from '../../base/error.ts'
import { Icon } from '../../parts/icon.tsx'
import { toast } from '../../parts/toast.tsx'
import { replace } from '../../routes.ts'
import {
  addTag,
  correctCounts,
  reloadTags,
  rules,
  showTags,
  type Tag,
} from '../../tagging/index.ts'
import { problem } from '../../text/problem.ts'
import { tagPage } from '../../text/tag-page.ts'
import { change } from './changes.ts'
import { Fold } from './fields.tsx'
import { hrefOfOpen, mergeInto } from './state.ts'
import { TagPicker } from './tag-picker.tsx'
import { rulesTakenOver } from './taken-over.ts'
import { useShared } from './totals.ts'

/** Merges a tag into another one, and explains the effect on both before. */
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
