import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { stored } from '../../base/settings/stored.ts'
import { at, hrefOf, replace } from '../../routes.ts'
import { categories, rules, type Tag, tagsById } from '../../tagging/index.ts'

/** The tag or category that is open, by its id; null for none. */
export const openId = at

export const openTag = computed(() => tagsById.value.get(at.value ?? ''))
export const openCategory = computed(() => categories.value.find(({ id }) => id === at.value))

/** Returns the address at which a tag or category is open. */
export function hrefOfOpen(id: string | null): string {
  return hrefOf({ path: '/tags', listing: null, at: id })
}

/** Closes what is open; the focus returns to where it was opened, or goes beside it when that goes. */
export function close({ isGone = false } = {}): void {
  const link = document.querySelector<HTMLElement>(`.cats [data-id="${at.peek()}"]`)
  replace(hrefOfOpen(null))
  const item = link?.parentElement
  const next = item?.nextElementSibling ?? item?.previousElementSibling
  const focused = isGone ? next?.querySelector('a') : link
  focused?.focus()
}

/** Whether there is no room for anything beside the list. */
export const isNarrow = matching('(max-width: 760px)')

/** Whether not all that stands above the list has room with its words. */
export const isTight = matching('(max-width: 1180px)')

function matching(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query)
  const is = signal(list.matches)
  list.addEventListener('change', () => {
    is.value = list.matches
  })
  return is
}

/** How the tags of a section are sorted. */
export const sorting = stored('tags-by', (kept) => (kept === 'count' ? 'count' : 'name'))

/** What is typed to find a tag. */
export const wanted = signal('')

/** What is being made, in a dialog. */
export const making = signal<'tag' | 'category' | null>(null)

/** Which tag was dropped on another one, to be asked about. */
export const mergeInto = signal<{ from: string; into: Tag } | null>(null)

/** The tags from which others follow. */
export const withRules = computed(() => new Set(rules.value.map((rule) => rule.when_tag_id)))
