import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { stored } from '../../base/preferences.ts'
import { useResource } from '../../base/resource.ts'
import { settled } from '../../base/settled.ts'
import { at, hrefOf, replace } from '../../routes.ts'
import { categories, rules, type Tag, tagsById } from '../../tag-box/index.ts'
import { countFiles } from './changes.ts'

/** The id of the tag or category that is open; null for none. */
export const openId = at

export const openTag = computed(() => tagsById.value.get(at.value ?? ''))
export const openCategory = computed(() => categories.value.find(({ id }) => id === at.value))

/** Returns the address at which a tag or category is open. */
export function hrefOfOpen(id: string | null): string {
  return hrefOf({ path: '/tags', listing: null, at: id })
}

/** Closes the panel; the focus returns to where it was opened, or next to it if that is gone. */
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

/** Whether the bar above the list has too little room for all labels. */
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
export const sorting = stored('tags-by', (text) => (text === 'count' ? 'count' : 'name'))

/** The text of the search for a tag. */
export const wanted = signal('')

/** What the dialog creates; null while it is closed. */
export const making = signal<'tag' | 'category' | null>(null)

/** The tag that was dropped on another one, until the user has answered whether to merge them. */
export const mergeInto = signal<{ from: string; into: Tag } | null>(null)

/** The tags that have rules. */
export const withRules = computed(() => new Set(rules.value.map((rule) => rule.when_tag_id)))

function useFresh<Data>(
  read: (signal: AbortSignal) => Promise<Data>,
): ReadonlySignal<Data | undefined> {
  return useResource((signal) => {
    void settled.value
    return read(signal)
  }).data
}

/**
 * Returns the current number of files of a tag that the viewer sees; undefined until it is loaded. The
 * component must not change the tag.
 */
export function useFiles(id: string): ReadonlySignal<number | undefined> {
  return useFresh((signal) => countFiles(`{t=${id}}`, signal))
}

/** How many files have both tags, and how many only the first one. */
interface Shared {
  both: number
  first: number
}

/**
 * Returns how many files that the viewer sees two tags share; undefined until it is loaded. The
 * component must not change the tags.
 */
export function useShared(first: string, second: string): ReadonlySignal<Shared | undefined> {
  return useFresh(async (signal) => {
    const [both, alone] = await Promise.all([
      countFiles(`{t=${first},&,t=${second}}`, signal),
      countFiles(`{t=${first},&,!,t=${second}}`, signal),
    ])
    return { both, first: alone }
  })
}
