import { useSignal } from '@preact/signals'
import { Globe, type IconNode, Images, ListFilter, Lock, Users } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { readAccess } from '../base/access.ts'
import { mediaUrl } from '../base/media.ts'
import { useResource } from '../base/resource.ts'
import { session } from '../base/session.ts'
import { Icon } from '../parts/icon.tsx'
import type { Pool } from '../pool-box/index.ts'
import { pools } from '../text/pools.ts'
import { smart } from '../text/smart.ts'
import { COVER, coverOf, endOf } from './album.ts'

/**
 * Shows a pool among others: its cover, its name, and who sees it. Loads them when it becomes
 * visible.
 */
export function PoolCard({ pool }: { pool: Pool }) {
  const item = useRef<HTMLLIElement>(null)
  const isSeen = useSignal(false)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry!.isIntersecting) isSeen.value = true
    })
    observer.observe(item.current!)
    return () => observer.disconnect()
  }, [])
  return (
    <li ref={item}>
      <a href={`/albums/${pool.id}`}>
        {isSeen.value && pool.file_count > 0 ? (
          <Cover key={`${pool.file_count} ${pool.metadata?.[COVER]}`} pool={pool} />
        ) : (
          <span class="cover bare">{pool.file_count === 0 && <Icon of={Images} />}</span>
        )}
        <b>{pool.name}</b>
        <span class="muted small num">
          {pool.is_smart && (
            <span title={smart().isSmart}>
              <Icon of={ListFilter} />
              <span class="hidden">{smart().isSmart}</span>
            </span>
          )}
          <span>{pools().count(pool.file_count)}</span>
          {isSeen.value && <CardSeenBy key={String(pool.is_public)} pool={pool} />}
        </span>
      </a>
    </li>
  )
}

function Cover({ pool }: { pool: Pool }) {
  const cover = useResource((signal) => coverOf(pool, endOf(pool.id, 'desc', signal), signal))
  const { id, version } = cover.data.value ?? {}
  return (
    <span class="cover">
      {id && version && <img src={mediaUrl(id, 'thumbnail', { v: version })} alt="" />}
    </span>
  )
}

function CardSeenBy({ pool }: { pool: Pool }) {
  const seenBy = useResource((signal) => readSeenBy(pool, signal)).data.value
  if (!seenBy) return null
  return (
    <>
      <span aria-hidden="true">·</span>
      <SeenBy {...seenBy} />
    </>
  )
}

/** Names who sees an album; `isSaid` says in front of names what they are. */
export function SeenBy({ icon, words, isNamed, isSaid }: Seers & { isSaid?: boolean }) {
  return (
    <span class="seen">
      <Icon of={icon} />
      <span class={isSaid && isNamed ? undefined : 'hidden'}>{pools().seenBy}</span>
      <span class="names">{words}</span>
    </span>
  )
}

interface Seers {
  icon: IconNode
  words: string
  /** Whether the words are names of people. */
  isNamed?: boolean
}

/** Returns in words who sees a pool, as far as the caller may know. Throws an ApiError. */
export async function readSeenBy(pool: Pool, signal: AbortSignal): Promise<Seers> {
  const words = pools()
  const { id: own, is_admin } = session.peek()!.user
  const { creator_id, creator_name, is_public } = pool
  if (is_public) return { icon: Globe, words: words.everybody }
  if (creator_id !== own && !is_admin) return { icon: Users, words: words.from(creator_name) }
  const names = (await readAccess('pool', pool.id, signal))
    .filter(({ user_id, can_view }) => can_view && user_id !== creator_id)
    .map(({ user_name }) => user_name)
  if (names.length > 0) return { icon: Users, words: names.join(', '), isNamed: true }
  return { icon: Lock, words: creator_id === own ? words.onlyYou : words.only(creator_name) }
}
