import { computed } from '@preact/signals'
import { session } from '../base/session.ts'
import { stored } from '../base/settings/stored.ts'
import { NOTHING_RECENT, type Recent, withoutGone } from './recent.ts'
import { areTagsLoaded, tagsById } from './tags.ts'

// Two people may use one browser: each has their own.
const kept = stored<string>('recent-tags', (text) => text ?? '')

/** The tags that digits put on files, of those that are still there. */
export const recent = computed<Recent>(() => {
  const own = ofUser()
  return areTagsLoaded.value ? withoutGone(own, (id) => tagsById.value.has(id)) : own
})

/** Keeps what is recent, for the next visit too. */
export function keepRecent(next: Recent): void {
  kept.value = JSON.stringify({ user: session.peek()?.user.id, recent: next })
}

function ofUser(): Recent {
  try {
    const { user, recent } = JSON.parse(kept.value) as { user: number; recent: Recent }
    return user === session.value?.user.id ? recent : NOTHING_RECENT
  } catch {
    // Nothing is kept, or by another version of the page.
    return NOTHING_RECENT
  }
}
