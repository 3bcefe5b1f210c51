import type { Schemas } from '../../client/index.ts'
import { act, api } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { newTags } from '../base/preferences.ts'
import { session } from '../base/session.ts'
import { problem } from '../text/problem.ts'
import { tagBox } from '../text/tag-box.ts'
import { isSame, ownName } from './match.ts'
import { addTag, categories, reloadTags, showCategories, type Tag, tags } from './tags.ts'

/** Returns whether the user has chosen that everybody may see new tags and categories. */
export const areNewTagsPublic = () => newTags.peek() === 'everybody'

const forWhom = () => ({ is_public: areNewTagsPublic() })

/** Creates a tag that those may see whom the user has chosen for new tags. Throws an ApiError. */
export async function createTag(fields: Omit<Schemas['TagCreate'], 'is_public'>) {
  const done = await act(api.POST('/api/v1/tags', { body: { ...fields, ...forWhom() } }))
  addTag(done.data)
  return done
}

/** Creates a category, in the same way. Throws an ApiError. */
export async function createCategory(fields: Omit<Schemas['CategoryCreate'], 'is_public'>) {
  const done = await act(api.POST('/api/v1/categories', { body: { ...fields, ...forWhom() } }))
  showCategories((all) => [...all, done.data])
  return done
}

/** Why a name was refused. */
export interface Refusal {
  reason: string
  /** A name to use instead; null if another one wouldn't help. */
  offer: string | null
  /** The tag that has the name, if the user may see it. */
  holder: Tag | undefined
}

type Kind = 'tag' | 'category'

/** Names that the server has refused. */
const refused: Record<Kind, Set<string>> = { tag: new Set(), category: new Set() }

/**
 * Returns why a tag or category can't have a name. For a name that something hidden has, it offers one
 * of the user's own.
 */
export async function refusalOf(kind: Kind, name: string, error: unknown): Promise<Refusal> {
  // The only conflict there is a duplicate name.
  if (!(error instanceof ApiError) || error.code !== 'conflict') {
    return { reason: problem(error), offer: null, holder: undefined }
  }
  // It may have been created elsewhere since.
  await reloadTags()
  const shown: { name: string }[] = kind === 'tag' ? tags.peek() : categories.peek()
  const asked = name.trim()
  if (shown.some((one) => isSame(one.name, asked))) {
    const reason = problem(new ApiError(error.status, error.code, { field: 'name' }))
    const holder = kind === 'tag' ? tags.peek().find((tag) => isSame(tag.name, asked)) : undefined
    return { reason, offer: null, holder }
  }
  refused[kind].add(asked)
  const taken = new Set([...refused[kind], ...shown.map((one) => one.name)])
  const words = tagBox()
  return {
    reason: (kind === 'tag' ? words.hiddenTag : words.hiddenCategory)(asked),
    offer: ownName(asked, session.peek()!.user.name, taken),
    holder: undefined,
  }
}
