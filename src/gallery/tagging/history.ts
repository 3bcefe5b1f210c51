import { computed } from '@preact/signals'
import { session } from '../base/session.ts'
import { stored } from '../base/settings/stored.ts'
import { NOTHING_RECENT, type Recent, withoutGone } from './recent.ts'
import { areTagsLoaded, tagsById } from './tags.ts'

// Two people may use one browser: each has their own.
const kept = stored<string>('recent-tags', (text) => text ?? '')

/** The tags that the digits add, among those that still exist. */
export const recent = computed<Recent>(() => {
  const own = ofUser()
  return areTagsLoaded.value ? withoutGone(own, (id) => tagsById.value.has(id)) : own
})

/** Stores the recent tags, for the next visit as well. */
export function keepRecent(next: Recent): void {
  kept.value = JSON.stringify({ user: session.peek()?.user.id, recent: next })
}

function ofUser(): Recent {
  try {
    const { user, recent } = JSON.parse(kept.value) as { user: number; recent: Recent }
    return user === session.value?.user.id ? recent : NOTHING_RECENT
  } catch {
    // Nothing is stored, or another version of the page has stored it.
    return NOTHING_RECENT
  }
}
