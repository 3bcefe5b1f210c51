import { Images } from 'lucide'
import { mediaUrl } from '../base/media.ts'
import { useResource } from '../base/resource.ts'
import { files } from '../grid/index.ts'
import { Icon } from '../parts/icon.tsx'
import type { Pool } from '../pool-box/index.ts'
import { pools as text } from '../text/pools.ts'
import { coverOf, endOf } from './album.ts'
import { readSeenBy, SeenBy } from './cover.tsx'
import { span } from './span.ts'
import type { Subject } from './subject.ts'

/** Says what an album is: its cover, name and description, its dates, and who sees it. */
export function AlbumHead({ subject, pool }: { subject: Subject; pool: Pool }) {
  const words = text()
  const total = files.total.value
  const look = useResource(async (signal) => {
    const now = subject.loaded.data.value!
    // After the first pictures, and again when some have come or gone.
    if (files.total.value === null) return undefined
    const newest = endOf(now.id, 'desc', signal)
    const [oldest, last, cover] = await Promise.all([
      endOf(now.id, 'asc', signal),
      newest,
      coverOf(now, newest, signal),
    ])
    return { cover, dates: oldest && last && span(oldest.t, last.t) }
  }).data.value
  const seenBy = useResource((signal) => readSeenBy(subject.loaded.data.value!, signal)).data.value
  const cover = look?.cover
  return (
    <div class="album">
      <span class={cover ? 'cover' : 'cover bare'}>
        {cover && <img src={mediaUrl(cover.id, 'thumbnail', { v: cover.version })} alt="" />}
        {total === 0 && !cover && <Icon of={Images} />}
      </span>
      <div class="rest">
        <h1 title={pool.name}>{pool.name}</h1>
        {pool.notes && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is scrolled by keys
          <p class="notes" tabIndex={0}>
            {pool.notes}
          </p>
        )}
        <p class="muted small num">
          {look?.dates && <span>{look.dates}</span>}
          {total !== null && <span>{words.count(total)}</span>}
          {seenBy && <SeenBy {...seenBy} isSaid />}
        </p>
      </div>
    </div>
  )
}
