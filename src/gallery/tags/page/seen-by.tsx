import { useComputed, useSignal } from '@preact/signals'
import { Users } from 'lucide'
import { readAccess } from '../../base/access.ts'
import { joined } from '../../base/joined.ts'
import { useResource } from '../../base/resource.ts'
import { session } from '../../base/session.ts'
import { settled } from '../../base/settled.ts'
import { Icon } from '../../parts/icon.tsx'
import { Sharing } from '../../sharing/index.tsx'
import { type Category, reloadTags, type Tag } from '../../tag-box/index.ts'
import { tagPage } from '../../text/tag-page.ts'
import { openId } from './state.ts'

/** Whether the viewer may read the rights of an object: only its creator and admins may. */
function mayReadRights({ creator_id }: Tag | Category): boolean {
  const { user } = session.value!
  return user.is_admin || user.id === creator_id
}

async function othersOf(type: 'tag' | 'category', id: string, signal: AbortSignal) {
  const { id: own } = session.peek()!.user
  return (await readAccess(type, id, signal)).filter((one) => one.can_view && one.user_id !== own)
}

/**
 * Shows who sees a category besides its creator, as an addition to other words; nothing if nobody does.
 */
export function SeenInShort({ category }: { category: Category }) {
  const words = tagPage()
  const { id } = category
  const isOpen = useComputed(() => openId.value === id)
  const others = useResource(async (signal) => {
    // The rights can only be changed where the category is open.
    if (isOpen.value) void settled.value
    return category.is_public || !mayReadRights(category) ? [] : othersOf('category', id, signal)
  })
  if (category.is_public) return <> · {words.seenByAll}</>
  const names = (others.data.value ?? []).map((one) => one.user_name)
  return names.length > 0 ? <> · {words.seenBy(joined(names))}</> : null
}

interface WhoSeesProps {
  type: 'tag' | 'category'
  of: Tag | Category
}

/** Shows in words who may see a tag or category, and who may change it. */
export function WhoSees({ type, of }: WhoSeesProps) {
  const words = tagPage()
  const rights = useResource(async (signal) => {
    void settled.value
    return mayReadRights(of) ? othersOf(type, of.id, signal) : []
  })
  const isSharing = useSignal(false)
  return (
    <div>
      <h3 class="label">{words.whoSees}</h3>
      <div class="line">
        <Icon of={Users} />
        <span class="rest">{rights.data.value ? seers(of, rights.data.value) : '…'}</span>
        {mayReadRights(of) && (
          <button
            type="button"
            class="btn"
            aria-label={words.changeSeers}
            onClick={() => {
              isSharing.value = true
            }}
          >
            {words.change}
          </button>
        )}
      </div>
      {isSharing.value && (
        <Sharing
          of={type === 'tag' ? { tag_id: of.id } : { category_id: of.id }}
          onShared={reloadTags}
          onClose={() => {
            isSharing.value = false
          }}
        />
      )}
    </div>
  )
}

function seers(of: Tag | Category, others: { user_name: string; can_edit: boolean }[]): string {
  const words = tagPage()
  const names = others.map((one) => one.user_name)
  const editing = others.filter((one) => one.can_edit).map((one) => one.user_name)
  const isOwn = of.creator_id === session.value!.user.id
  const first = of.is_public
    ? words.everybody
    : names.length > 0 && mayReadRights(of)
      ? joined([isOwn ? words.you : of.creator_name, ...names])
      : isOwn
        ? words.onlyYou
        : words.of(of.creator_name)
  const parts = [first]
  if (of.is_public && !isOwn) parts.push(words.of(of.creator_name))
  if (editing.length > 0) parts.push(words.mayEdit(joined(editing), editing.length))
  return parts.join('; ')
}
