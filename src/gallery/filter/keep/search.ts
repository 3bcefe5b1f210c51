import { computed, signal } from '@preact/signals'
import { mayCreate } from '../../base/session.ts'
import type { Pool } from '../../pool-box/index.ts'
import { go, listing } from '../../routes.ts'
import { parsed } from '../state.ts'

/** The album that is to fill itself with what is shown, until another screen is; null for none. */
export const changing = signal<Pick<Pool, 'id' | 'name'> | null>(null)

/** Shows what an album fills itself with and nothing else, to be changed among all photos. */
export function changeSearch({ id, name, filter }: Pool): void {
  changing.value = { id, name }
  const all = { search: '', from: '', to: '', sort: undefined, order: undefined }
  go({ path: '/', listing: { ...all, filter: filter ?? '' }, at: null })
}

/** Whether more than a name limits the photos, and is understood: an album can fill itself with that. */
export const isSearch = computed(() => {
  const { filter, from, to, pool } = listing.value
  return Boolean(filter || from || to) && !pool && !parsed.value.broken
})

/** Whether what is shown can become an album. */
export const canKeep = computed(() => isSearch.value && mayCreate() === true)

/** Loads the component that says a `filter` which isn't that of the address. */
export const loadFilterWords = async () => (await import('./words.tsx')).FilterWords
