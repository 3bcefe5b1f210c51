import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { duration } from '../base/format.ts'
import { averageColour } from '../grid/thumbnails/blur.ts'
import { link } from '../text/link.ts'
import { files, isStuck, mediaOf, more, type Shared } from './shared.ts'

/** Width by height, where that isn't known. */
const USUAL_RATIO = 4 / 3
/** The height of ordinary thumbnails, in pixels, and that of the rows, which is set by the style. */
const ORDINARY = 240
const ROW = 200
/** How far below the view the next files are asked for. */
const AHEAD = '2000px'

/** Returns width by height. */
export function ratioOf({ width, height }: Shared): number {
  return width && height ? width / height : USUAL_RATIO
}

/** Returns the thumbnail of a file that is sharp in the rows. */
export function thumbnailOf({ id }: Shared): string {
  return mediaOf(id, ROW * devicePixelRatio > ORDINARY ? 'thumbnail?size=640' : 'thumbnail')
}

/** Shows all files in rows. */
export function Wall() {
  const end = useRef<HTMLDivElement>(null)
  const count = files.value.length
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry!.isIntersecting) void more()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(end.current!)
    return () => observer.disconnect()
  }, [count])
  return (
    <>
      <ul class="wall">
        {files.value.map((file, index) => (
          <Tile key={file.id} file={file} number={index + 1} />
        ))}
      </ul>
      <div ref={end} />
      {isStuck.value && (
        <div class="head" role="alert">
          <p class="muted">{link().lost}</p>
          <button type="button" class="btn" onClick={() => void more()}>
            {link().retry}
          </button>
        </div>
      )}
    </>
  )
}

function Tile({ file, number }: { file: Shared; number: number }) {
  const { id, kind, thumbhash } = file
  const words = link()
  const isLoaded = useSignal(false)
  const length = duration(file.duration ?? 0)
  return (
    <li style={{ '--r': String(ratioOf(file)) }}>
      <a
        href={`#${id}`}
        data-id={id}
        aria-label={kind === 'film' ? words.film(number, length) : words.photo(number)}
        style={thumbhash === null ? undefined : { '--c': averageColour(thumbhash) }}
      >
        <img
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          src={thumbnailOf(file)}
          class={isLoaded.value ? 'loaded' : undefined}
          onLoad={() => {
            isLoaded.value = true
          }}
        />
      </a>
      {(kind === 'film' || file.film !== null) && (
        <span>{kind === 'film' ? length : words.live}</span>
      )}
    </li>
  )
}
