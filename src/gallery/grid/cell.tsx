import { useComputed } from '@preact/signals'
import { ImageOff, Images, RotateCw } from 'lucide'
import { duration, known } from '../base/format.ts'
import { hasHeart } from '../base/hearts.ts'
import { type Cell as File, FLAGS, precisionOf } from '../base/listing.ts'
import { looksOnly } from '../base/session.ts'
import { Icon } from '../parts/icon.tsx'
import { grid } from '../text/grid.ts'
import { isSelected, type Selection } from './selection.ts'
import { averageColour } from './thumbnails/blur.ts'
import { failed, thumbnailKey } from './thumbnails/thumbnails.ts'

/** In pixels within the row; `top` and `bottom` are those of the row in the listing. */
interface Place {
  position: number
  left: number
  width: number
  top: number
  bottom: number
}

/** Shows a file in the grid: a link to it, with its thumbnail. */
export function Cell({
  file,
  place,
  href,
  selection,
  isTabStop,
  count,
}: {
  file: File
  place: Place
  href: string
  selection: Selection
  isTabStop: boolean
  /** How many files the tile stands for. */
  count: number
}) {
  const { id, hash, version } = file
  const isOn = useComputed(() => isSelected(selection.selected.value, id)).value
  const key = thumbnailKey(file)
  const hasFailed = useComputed(() => failed.value.has(key)).value
  const words = grid()
  const isLiked = hasHeart(file)
  const isNew = (file.flags & FLAGS.review) !== 0 && !looksOnly()
  const isLive = file.film != null
  const isSeen = (file.flags & FLAGS.shared) !== 0
  const name = words.file({
    moment: known(file.t, precisionOf(file)),
    length: file.kind === 'v' ? duration(file.duration ?? 0) : null,
    isNew,
    isSeen,
    count,
    isLiked,
    isLive,
  })
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the link in it has the focus
    // biome-ignore lint/a11y/useSemanticElements: rows of tables can't have widths of their own
    <div
      class="cell"
      role="gridcell"
      aria-selected={isOn}
      data-position={place.position}
      style={{ left: `${place.left}px`, width: `${place.width}px` }}
    >
      <a
        href={href}
        data-id={id}
        tabIndex={isTabStop ? 0 : -1}
        aria-label={name}
        draggable={isOn}
        style={hash === null ? undefined : { '--c': averageColour(hash) }}
      >
        {!hasFailed && (
          <img
            // A file that is turned has another picture.
            key={version}
            alt=""
            draggable={false}
            decoding="async"
            data-id={id}
            data-version={version}
            data-hash={hash ?? undefined}
            data-top={place.top}
            data-bottom={place.bottom}
          />
        )}
        {hasFailed && <Icon of={ImageOff} />}
      </a>
      <span class="tick" />
      {file.kind === 'v' && <span class="len">{duration(file.duration ?? 0)}</span>}
      {(isLive || count > 1) && (
        <span class="len num">
          {isLive && words.live}
          {count > 1 && (
            <>
              {' '}
              <Icon of={Images} /> {count}
            </>
          )}
        </span>
      )}
      {isNew && <span class="new" title={words.notReviewed} />}
      {isSeen && <span class="seen" title={words.seen} />}
      <span class={isLiked ? 'heart on' : 'heart'} />
      {hasFailed && (
        <button type="button" class="retry" data-retry={key} aria-label={words.retry}>
          <Icon of={RotateCw} />
        </button>
      )}
    </div>
  )
}
