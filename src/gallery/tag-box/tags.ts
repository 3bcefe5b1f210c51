import { computed, effect, signal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'
import { api, ask } from '../base/api.ts'
import { stored } from '../base/preferences.ts'
import { type Resource, resource } from '../base/resource.ts'
import { floods, returns } from '../base/returning.ts'
import { session } from '../base/session.ts'
import { allPages } from '../base/slices.ts'
import { undone } from '../base/undo/undo.ts'
import { followsOf } from './edits.ts'
import { indexTags } from './match.ts'
import { NOTHING_RECENT, type Recent, withoutGone } from './recent.ts'

// Two people may use one browser: each has their own.
const storedText = stored<string>('recent-tags', (text) => text ?? '')

/** The tags that the digits add, among those that still exist. */
export const recent = computed<Recent>(() => {
  const own = ofUser()
  return areTagsLoaded.value ? withoutGone(own, (id) => tagsById.value.has(id)) : own
})

/** Stores the recent tags, for the next visit as well. */
export function storeRecent(next: Recent): void {
  storedText.value = JSON.stringify({ user: session.peek()?.user.id, recent: next })
}

function ofUser(): Recent {
  try {
    const { user, recent } = JSON.parse(storedText.value) as { user: number; recent: Recent }
    return user === session.value?.user.id ? recent : NOTHING_RECENT
  } catch {
    // Nothing is stored, or another version of the page has stored it.
    return NOTHING_RECENT
  }
}

export type Tag = Schemas['Tag']
export type Category = Schemas['Category']
export type Rule = Schemas['TagRule']

/** Returns a function that creates the resource at its first call while a user is signed in. */
function once<Data>(load: (signal: AbortSignal) => Promise<Data>): () => Resource<Data> {
  let created: Resource<Data> | undefined
  return () => {
    created ??= resource(async (signal) => {
      // An undo, or a change elsewhere, may concern a tag or a rule.
      void undone.value
      void [returns.value, floods.value]
      return load(signal)
    })
    return created
  }
}

const BY_NAME = { sort: 'name', order: 'asc' } as const
const allTags = once((signal) =>
  allPages((page) =>
    ask(api.GET('/api/v1/tags', { params: { query: { ...BY_NAME, ...page } }, signal })),
  ),
)
const allRules = once((signal) => ask(api.GET('/api/v1/tags/rules', { signal })))
const allCounts = once(async (signal) => {
  const { counts } = await ask(
    api.GET('/api/v1/tags/counts', { params: { query: { pairs: '1' } }, signal }),
  )
  corrections.value = {}
  return counts
})
const allCategories = once((signal) =>
  allPages((page) =>
    ask(api.GET('/api/v1/categories', { params: { query: { ...BY_NAME, ...page } }, signal })),
  ),
)

/** By how many files per tag this page has changed the server's counts since. */
const corrections = signal<Record<string, number>>({})

const NO_TAGS: Tag[] = []
const NO_CATEGORIES: Category[] = []
const NO_RULES: Rule[] = []
const NO_COUNTS: Record<string, number> = {}

/** All tags that the caller may see, by name; none before they are loaded. */
export const tags = computed(() => allTags().data.value ?? NO_TAGS)
export const areTagsLoaded = computed(() => allTags().data.value !== undefined)
/** Why the tags could not be loaded. */
export const tagsError = computed(() => allTags().error.value)
export const tagsById = computed(() => new Map(tags.value.map((tag) => [tag.id, tag])))
/** All categories that the caller may see, by name. */
export const categories = computed(() => allCategories().data.value ?? NO_CATEGORIES)
/** Whether the categories are loaded, or could not be. */
export const areCategoriesThere = computed(() => {
  const { data, error } = allCategories()
  return data.value !== undefined || error.value !== undefined
})
/** All rules for which the caller may see both tags. */
export const rules = computed(() => allRules().data.value ?? NO_RULES)
/** The tags that rules add for each tag. */
export const follows = computed(() => followsOf(rules.value))

const counted = computed(() => allCounts().data.value ?? NO_COUNTS)

/** The tags, prepared for searching; sorted by the server's counts. */
export const tagIndex = computed(() => {
  const counts = counted.value
  return indexTags(tags.value, (id) => counts[id] ?? 0)
})

let arePrepared = false

/** Prepares the tags for searching before typing begins, and again whenever they change. */
export function prepareTags(): void {
  if (arePrepared) return
  arePrepared = true
  effect(() => {
    void tags.value
    void counted.value
    // In a task of its own, so that neither this nor the next key waits for it.
    setTimeout(() => tagIndex.peek())
  })
}

/** Whether the numbers of files are loaded. */
export const areFilesCounted = computed(() => allCounts().data.value !== undefined)

/** Returns the number of files of a tag that the viewer sees. */
export function filesOf(id: string): number {
  return Math.max(0, (counted.value[id] ?? 0) + (corrections.value[id] ?? 0))
}

/** Adds a number of files to the counts of tags, before the server has counted them. */
export function correctCounts(ids: Iterable<string>, files: number): void {
  const next = { ...corrections.peek() }
  for (const id of ids) next[id] = (next[id] ?? 0) + files
  corrections.value = next
}

/** Reloads tags, categories and rules; resolves when the first two are loaded, or have failed. */
export async function reloadTags(): Promise<void> {
  void allRules().reload()
  await Promise.all([allCategories().reload(), allTags().reload()])
}

/** Shows tags as they will be, before the server returns them. */
export function showTags(change: (tags: Tag[]) => Tag[]): void {
  allTags().data.value = change(tags.peek())
}

/** Shows categories as they will be, before the server returns them. */
export function showCategories(change: (categories: Category[]) => Category[]): void {
  allCategories().data.value = change(categories.peek())
}

/** Shows rules as they will be, before the server returns them. */
export function showRules(change: (rules: Rule[]) => Rule[]): void {
  allRules().data.value = change(rules.peek())
}

/** Adds a tag that was just created. */
export function addTag(tag: Tag): void {
  showTags((all) =>
    [...all.filter(({ id }) => id !== tag.id), tag].sort((a, b) => a.name.localeCompare(b.name)),
  )
}

/** Returns the colour of a tag's dot: its own or its category's, or null for none. */
export function colorOf(tag: Pick<Tag, 'color' | 'category_color'>): string | null {
  const color = tag.color ?? tag.category_color
  return color === null ? null : `#${color}`
}
