import { useSignal } from '@preact/signals'
import { Globe } from 'lucide'
import { act, api, asOneChange } from '../../base/api.ts'
import { newTags, tagsOffered } from '../../base/preferences.ts'
import { mayCreate, session } from '../../base/session.ts'
import { areSettingsShared } from '../../base/shared-preferences.ts'
import { inLanes } from '../../base/slices.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { complain, toast } from '../../parts/toast.tsx'
import {
  areTagsLoaded,
  type Category,
  categories,
  reloadTags,
  type Tag,
  tags,
} from '../../tag-box/index.ts'
import { common } from '../../text/common.ts'
import { tagPage } from '../../text/tag-page.ts'

const DONE = 'done'

/** Offers once to open the tags and categories that a user made for fewer people to everybody. */
export function Offer() {
  const words = tagPage()
  const isOpen = useSignal(false)
  const isDue = tagsOffered.value !== DONE && newTags.value === 'everybody' && mayCreate()
  if (!isDue || !areSettingsShared.value || !areTagsLoaded.value) return null
  const { id } = session.value!.user
  const isClosed = (one: Tag | Category) => !one.is_public && one.creator_id === id
  const closed = [...categories.value, ...tags.value].filter(isClosed)
  if (closed.length === 0) return null
  return (
    <div class="gap offer" role="status">
      <Icon of={Globe} />
      <span class="rest">{words.closed(closed.length)}</span>
      <button
        type="button"
        class="btn"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {words.chooseOpen}
      </button>
      <button type="button" class="btn quiet" onClick={finish}>
        {words.leaveClosed}
      </button>
      {isOpen.value && (
        <Choice
          closed={closed}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </div>
  )
}

function finish(): void {
  tagsOffered.value = DONE
}

interface ChoiceProps {
  closed: (Tag | Category)[]
  onClose(): void
}

function Choice({ closed, onClose }: ChoiceProps) {
  const words = tagPage()
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const isSending = useSignal(false)
  const { size } = chosen.value
  const choose = (ids: string[], isOn: boolean) => {
    const rest = [...chosen.peek()].filter((id) => !ids.includes(id))
    chosen.value = new Set(isOn ? [...rest, ...ids] : rest)
  }
  const open = async () => {
    if (isSending.peek() || size === 0) return
    isSending.value = true
    const wanted = closed.filter(({ id }) => chosen.peek().has(id))
    if (await asOneChange(openAll(wanted))) finish()
    else isSending.value = false
  }
  return (
    <Dialog
      title={words.openTags}
      onClose={onClose}
      onSubmit={() => void open()}
      footer={
        <>
          <button type="button" class="btn" onClick={onClose}>
            {common().cancel}
          </button>
          <button type="submit" class="btn primary" disabled={size === 0 || isSending.value}>
            {words.open(size)}
          </button>
        </>
      }
    >
      <label class="line">
        <input
          type="checkbox"
          checked={size === closed.length}
          onChange={({ currentTarget }) => {
            const ids = closed.map(({ id }) => id)
            choose(ids, currentTarget.checked)
          }}
        />
        <b>{words.all}</b>
      </label>
      <ul class="closed">
        {closed.map((one) => (
          <li key={one.id}>
            <label class="line">
              <input
                type="checkbox"
                checked={chosen.value.has(one.id)}
                onChange={({ currentTarget }) => choose([one.id], currentTarget.checked)}
              />
              <span class="name">{one.name}</span>
              {!isTag(one) && <span class="muted small">{words.category}</span>}
            </label>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const isTag = (one: Tag | Category): one is Tag => 'category_id' in one

/** Opens tags and categories to everybody, and reports that. Returns whether all are open. */
async function openAll(wanted: (Tag | Category)[]): Promise<boolean> {
  const operations: number[] = []
  const body = { is_public: true }
  const { signal } = new AbortController()
  const { done, error } = await inLanes(
    wanted,
    async (one) => {
      const { operation } = isTag(one)
        ? await act<unknown>(
            api.PATCH('/api/v1/tags/{tag_id}', { params: { path: { tag_id: one.id } }, body }),
          )
        : await act<unknown>(
            api.PATCH('/api/v1/categories/{category_id}', {
              params: { path: { category_id: one.id } },
              body,
            }),
          )
      if (operation !== null) operations.push(operation)
    },
    { signal, onProgress: () => {} },
  )
  await reloadTags()
  if (error !== undefined) complain(error)
  // The last operation is undone first.
  if (done > 0) {
    toast({ text: tagPage().opened(done), operation: operations.sort((a, b) => a - b) })
  }
  return error === undefined
}
