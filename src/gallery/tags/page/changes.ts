import type { Answer, Schemas } from '../../../client/index.ts'
import { act, api, ask, asOneChange } from '../../base/api.ts'
import { remember } from '../../base/undo/undo.ts'
import { toast } from '../../parts/toast.tsx'
import {
  addTag,
  type Category,
  categories,
  createCategory,
  createTag,
  refusalOf,
  reloadTags,
  showCategories,
  showTags,
  type Tag,
} from '../../tag-box/index.ts'
import { problem } from '../../text/problem.ts'
import { tagBox } from '../../text/tag-box.ts'
import { tagPage } from '../../text/tag-page.ts'

type Update = Partial<Pick<Tag, 'name' | 'color' | 'notes'>>

interface Wanted<Data> {
  /** Changes of the same subject reach the server one after another. */
  subject: string
  call(): Promise<Answer<Data>>
  /** Reverts what is shown already. */
  back(): void
  failed(error: unknown): string | Promise<Failure>
}

interface Failure {
  text: string
  action?: { text: string; act(): void }
}

const turns = new Map<string, Promise<unknown>>()

/** Makes a change that is shown already; on failure reverts that, reports why and returns null. */
export function change<Data>(
  wanted: Wanted<Data>,
): Promise<Awaited<ReturnType<typeof act<Data>>> | null> {
  const sent = asOneChange(
    Promise.resolve(turns.get(wanted.subject)).then(async () => {
      try {
        return await act(wanted.call())
      } catch (error) {
        wanted.back()
        const failure = await wanted.failed(error)
        toast({ ...(typeof failure === 'string' ? { text: failure } : failure), kind: 'bad' })
        return null
      }
    }),
  )
  turns.set(wanted.subject, sent)
  return sent
}

const stays =
  ({ name }: { name: string }) =>
  (error: unknown) =>
    tagPage().notChanged(name, problem(error))

/** Returns why a tag or category stays as it was; if its new name was refused, with another one. */
function staysUnless(
  kind: 'tag' | 'category',
  { name }: { name: string },
  update: object,
  rename: (own: string) => void,
) {
  const wanted = 'name' in update ? (update.name as string) : null
  return async (error: unknown): Promise<Failure> => {
    if (wanted === null) return { text: tagPage().notChanged(name, problem(error)) }
    const { reason, offer } = await refusalOf(kind, wanted, error)
    const text = tagPage().notChanged(name, reason)
    const action = offer !== null && { text: tagBox().use(offer), act: () => rename(offer) }
    return { text, ...(action && { action }) }
  }
}

function fieldsOf<Fields extends object>(from: Fields, update: Partial<Fields>): Partial<Fields> {
  const names = Object.keys(update) as (keyof Fields)[]
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<Fields>
}

function patchTag(id: string, fields: Partial<Tag>): void {
  showTags((all) => all.map((tag) => (tag.id === id ? { ...tag, ...fields } : tag)))
}

/** Changes a tag, and shows that at once. */
export async function editTag(
  tag: Tag,
  update: Update | { category_id: string | null },
): Promise<void> {
  const shown: Partial<Tag> = 'category_id' in update ? inCategory(update.category_id) : update
  patchTag(tag.id, shown)
  const params = { path: { tag_id: tag.id } }
  const done = await change({
    subject: tag.id,
    call: () => api.PATCH('/api/v1/tags/{tag_id}', { params, body: update }),
    back: () => patchTag(tag.id, fieldsOf(tag, shown)),
    failed: staysUnless('tag', tag, update, (name) => void editTag(tag, { name })),
  })
  if (!done) return
  patchTag(tag.id, fieldsOf(done.data, shown))
  if (done.operation !== null) remember(done.operation)
}

function inCategory(id: string | null) {
  const category = categories.peek().find((one) => one.id === id)
  return {
    category_id: id,
    category_name: category?.name ?? null,
    category_color: category?.color ?? null,
  }
}

export async function removeTag(tag: Tag): Promise<void> {
  showTags((all) => all.filter(({ id }) => id !== tag.id))
  const params = { path: { tag_id: tag.id } }
  const done = await change({
    subject: tag.id,
    call: () => api.DELETE('/api/v1/tags/{tag_id}', { params }),
    back: () => addTag(tag),
    failed: stays(tag),
  })
  if (done) toast({ text: tagPage().deleted(tag.name), operation: done.operation })
}

function patchCategory(id: string, fields: Partial<Category>): void {
  showCategories((all) => all.map((one) => (one.id === id ? { ...one, ...fields } : one)))
  const category = categories.peek().find((one) => one.id === id)
  if (!category) return
  const shown = { category_name: category.name, category_color: category.color }
  showTags((all) => all.map((tag) => (tag.category_id === id ? { ...tag, ...shown } : tag)))
}

/** Changes a category, and shows that at once. */
export async function editCategory(category: Category, update: Update): Promise<void> {
  patchCategory(category.id, update)
  const params = { path: { category_id: category.id } }
  const done = await change({
    subject: category.id,
    call: () => api.PATCH('/api/v1/categories/{category_id}', { params, body: update }),
    back: () => patchCategory(category.id, fieldsOf(category, update)),
    failed: staysUnless(
      'category',
      category,
      update,
      (name) => void editCategory(category, { name }),
    ),
  })
  if (!done) return
  patchCategory(category.id, fieldsOf(done.data, update))
  if (done.operation !== null) remember(done.operation)
}

/** Puts categories into an order for all users; `positions` are those that change. */
export async function placeCategories(positions: ReadonlyMap<Category, number>): Promise<void> {
  const operations: number[] = []
  const moved = [...positions].map(([category, position]) => {
    const metadata = { ...category.metadata, position }
    patchCategory(category.id, { metadata })
    return { category, metadata }
  })
  for (const { category, metadata } of moved) {
    const params = { path: { category_id: category.id } }
    const done = await change({
      subject: category.id,
      call: () => api.PATCH('/api/v1/categories/{category_id}', { params, body: { metadata } }),
      back: reloadTags,
      failed: stays(category),
    })
    if (!done) break
    if (done.operation !== null) operations.push(done.operation)
  }
  remember(operations)
}

/** Deletes a category; its tags remain. */
export async function removeCategory(category: Category): Promise<void> {
  showCategories((all) => all.filter(({ id }) => id !== category.id))
  const none = inCategory(null)
  showTags((all) => all.map((tag) => (tag.category_id === category.id ? { ...tag, ...none } : tag)))
  const params = { path: { category_id: category.id } }
  const done = await change({
    subject: category.id,
    call: () => api.DELETE('/api/v1/categories/{category_id}', { params }),
    back: reloadTags,
    failed: stays(category),
  })
  if (done) toast({ text: tagPage().deleted(category.name), operation: done.operation })
}

/** Creates a tag, and returns its id. Throws an ApiError. */
export async function makeTag(
  fields: Pick<Schemas['TagCreate'], 'name' | 'color' | 'category_id'>,
): Promise<string> {
  const { data, operation } = await createTag(fields)
  if (operation !== null) remember(operation)
  return data.id
}

/** Creates a category, and returns its id. Throws an ApiError. */
export async function makeCategory(
  fields: Pick<Schemas['CategoryCreate'], 'name' | 'color'>,
): Promise<string> {
  const { data, operation } = await createCategory(fields)
  if (operation !== null) remember(operation)
  return data.id
}

/** Returns how many files that the viewer sees match a filter. Throws an ApiError. */
export async function countFiles(filter: string, signal: AbortSignal): Promise<number> {
  const query = { filter, limit: 1, pairs: '1' } as const
  return (await ask(api.GET('/api/v1/files/ids', { params: { query }, signal }))).total
}
