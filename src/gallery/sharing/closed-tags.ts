import { readAccess } from '../base/access.ts'
import { act, api, ask } from '../base/api.ts'
import { session } from '../base/session.ts'
import { inLanes, slicesOf } from '../base/slices.ts'
import { areTagsLoaded, filesOf, reloadTags, tags } from '../tag-box/index.ts'
import { blindTo, type ClosedTag, type Draft, entriesAfter, type Right } from './sight.ts'
import type { Subject } from './state.ts'

/** The most tags that are shared along, because each takes requests of its own. */
const MOST_TAGS = 200

/**
 * Returns the tags of what is shared that not everybody sees and that the caller may share: of many, the
 * most used. Throws an ApiError.
 */
export async function readClosedTags(
  subject: Subject,
  ids: () => Promise<string[]>,
  signal: AbortSignal,
): Promise<ClosedTag[]> {
  if ('tag_id' in subject) return []
  if (!areTagsLoaded.peek()) await reloadTags()
  const { user } = session.peek()!
  const closed = tags
    .peek()
    .filter((tag) => !tag.is_public && (user.is_admin || tag.creator_id === user.id))
  const isOn = closed.length === 0 ? () => false : await tagsOn(subject, ids, signal)
  const chosen = closed
    .filter(isOn)
    .sort((a, b) => filesOf(b.id) - filesOf(a.id))
    .slice(0, MOST_TAGS)
  const found = new Map<string, ClosedTag>()
  const { error } = await inLanes(
    chosen,
    async ({ id, creator_id }) => {
      const entries = await readAccess('tag', id, signal)
      const seers = entries.filter(({ can_view }) => can_view).map(({ user_id }) => user_id)
      found.set(id, { id, creator_id, seers: new Set(seers) })
    },
    { signal, onProgress: () => {} },
  )
  if (error !== undefined) throw error
  return chosen.flatMap(({ id }) => found.get(id) ?? [])
}

/** Returns whether a tag is one of the tags of what is shared. */
async function tagsOn(
  subject: Subject,
  ids: () => Promise<string[]>,
  signal: AbortSignal,
): Promise<(tag: { id: string; category_id: string | null }) => boolean> {
  if ('category_id' in subject) return (tag) => tag.category_id === subject.category_id
  const on = new Set<string>()
  for (const file_ids of slicesOf(await ids())) {
    const call = api.POST('/api/v1/files/bulk/common-tags', { body: { file_ids }, signal })
    const { common_tag_ids, partial_tag_ids } = await ask(call)
    for (const id of [...common_tag_ids, ...partial_tag_ids]) on.add(id)
  }
  return (tag) => on.has(tag.id)
}

/**
 * Lets those see the tags whom a draft shares with; returns for how many that was done, the operations that can
 * be undone, and the drafts that take the others back.
 */
export async function shareTags(
  closed: readonly ClosedTag[],
  draft: Draft,
  signal: AbortSignal,
): Promise<{ operations: number[]; back: TagChange[]; done: number; error?: unknown }> {
  const operations: number[] = []
  const back: TagChange[] = []
  const { done, error } = await inLanes(
    closed,
    async (tag) => {
      if (draft.isPublic) {
        const params = { path: { tag_id: tag.id } }
        const call = api.PATCH('/api/v1/tags/{tag_id}', { params, body: { is_public: true } })
        const { operation } = await act(call)
        if (operation !== null) operations.push(operation)
      } else {
        const blind = blindTo(tag, draft)
        await changeTag({ id: tag.id, rights: new Map(blind.map((id) => [id, 'view'])) })
        back.push({ id: tag.id, rights: new Map(blind.map((id) => [id, 'out'])) })
      }
    },
    { signal, onProgress: () => {} },
  )
  void reloadTags()
  return {
    operations: operations.sort((a, b) => a - b),
    back,
    done,
    ...(error !== undefined && { error }),
  }
}

/** Another list of who may see a tag. */
interface TagChange {
  id: string
  rights: ReadonlyMap<number, Right | 'out'>
}

/** Changes who may see a tag. Throws an ApiError. */
export async function changeTag({ id, rights }: TagChange): Promise<void> {
  // Another user's changes since then stay.
  const permissions = entriesAfter(await readAccess('tag', id), { rights, isPublic: null })
  const params = { path: { object_type: 'tag' as const, object_id: id } }
  await act(api.PUT('/api/v1/acl/{object_type}/{object_id}', { params, body: { permissions } }))
}
