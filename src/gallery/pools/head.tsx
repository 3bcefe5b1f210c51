import { Images } from 'lucide'
import { mediaUrl } from '../base/media.ts'
import { useResource } from '../base/resource.ts'
import { isFiltered } from '../filter/index.ts'
import { files } from '../grid/index.ts'
import { Icon } from '../parts/icon.tsx'
import type { Pool } from '../pool-box/index.ts'
import { pools as text } from '../text/pools.ts'
import { coverOf, endOf } from './album.ts'
import { datesBetween } from './album-dates.ts'
import { readSeenBy, SeenBy } from './cover.tsx'
import type { Subject } from './subject.ts'

/** Says what an album is: its cover, name and description, its dates, and who sees it. */
export function AlbumHead({ subject, pool }: { subject: Subject; pool: Pool }) {
  const words = text()
  // What is shown counts a picture and its film once.
  const total = isFiltered.value ? null : files.total.value
  const look = useResource(async (signal) => {
    const now = subject.loaded.data.value!
    const newest = endOf(now.id, 'desc', signal)
    const [oldest, last, cover] = await Promise.all([
      endOf(now.id, 'asc', signal),
      newest,
      coverOf(now, newest, signal),
    ])
    return { cover, dates: oldest && last && datesBetween(oldest, last) }
  }).data.value
  const seenBy = useResource((signal) => readSeenBy(subject.loaded.data.value!, signal)).data.value
  const cover = look?.cover
  return (
    <div class="album">
      <span class={cover ? 'cover' : 'cover bare'}>
        {cover && <img src={mediaUrl(cover.id, 'thumbnail', { v: cover.version })} alt="" />}
        {pool.file_count === 0 && <Icon of={Images} />}
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
          <span>{words.count(total ?? pool.file_count)}</span>
          {seenBy && <SeenBy {...seenBy} isSaid />}
        </p>
      </div>
    </div>
  )
}
