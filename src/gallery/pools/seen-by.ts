import { Globe, type IconNode, Lock, Users } from 'lucide'
import { readAccess } from '../base/access.ts'
import { session } from '../base/session.ts'
import type { Pool } from '../pooling/index.ts'
import { pools } from '../text/pools.ts'

interface SeenBy {
  icon: IconNode
  words: string
}

/** Returns in words who sees a pool, as far as the caller may know. Throws an ApiError. */
export async function readSeenBy(pool: Pool, signal: AbortSignal): Promise<SeenBy> {
  const words = pools()
  const { id: own, is_admin } = session.peek()!.user
  const { creator_id, creator_name, is_public } = pool
  if (is_public) return { icon: Globe, words: words.everybody }
  if (creator_id !== own && !is_admin) return { icon: Users, words: words.from(creator_name) }
  const names = (await readAccess('pool', pool.id, signal))
    .filter(({ user_id, can_view }) => can_view && user_id !== creator_id)
    .map(({ user_name }) => user_name)
  if (names.length > 0) return { icon: Users, words: names.join(', ') }
  return { icon: Lock, words: creator_id === own ? words.onlyYou : words.only(creator_name) }
}
