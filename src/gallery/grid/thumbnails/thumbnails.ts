import { computed, effect, signal } from '@preact/signals'
import { mediaUrl } from '../../base/media.ts'
import { session } from '../../base/session.ts'
import { blurredPicture } from './blur.ts'
import { createPictureQueue } from './pictures.ts'

/** The address of pictures differs for each session. */
const place = computed(() => session.value?.k)
/** The keys of thumbnails that failed to load. */
export const failed = signal<ReadonlySet<string>>(new Set())

/** Returns the key of a thumbnail in `failed`. */
export function thumbnailKey({ id, version }: { id: string; version: string }): string {
  return `${id} ${version}`
}

/** Retries a thumbnail that failed. */
export function retry(key: string): void {
  failed.value = new Set([...failed.peek()].filter((each) => each !== key))
}

interface Thumbnails {
  /** Sets the wanted images, the most wanted first, and drops all others. */
  want(images: readonly HTMLImageElement[]): void
}

/** Pixels above and below the view in which pictures are loaded in advance. */
const PREFETCHED = 260

/**
 * Returns the images in and near the view in the order in which they are needed: those in view from the
 * top, those below, those above. Their `data-top` and `data-bottom` are pixels of the listing.
 */
export function byNeed(
  images: Iterable<HTMLImageElement>,
  view: { y: number; height: number },
): HTMLImageElement[] {
  const end = view.y + view.height
  const groups: HTMLImageElement[][] = [[], [], []]
  for (const image of images) {
    const [top, bottom] = [Number(image.dataset.top), Number(image.dataset.bottom)]
    if (bottom <= view.y - PREFETCHED || top >= end + PREFETCHED) continue
    groups[bottom <= view.y ? 2 : top >= end ? 1 : 0]!.push(image)
  }
  return [...groups[0]!, ...groups[1]!, ...groups[2]!.reverse()]
}

interface Wishes {
  rowHeight(): number
  isIdle(): void
}

/** Milliseconds after which a missing picture gets a blurred placeholder: most load sooner. */
const BLUR_AFTER = 100
/** Milliseconds per frame for placeholders. */
const BLUR_TIME = 4
/** The height of ordinary thumbnails, in pixels. */
const ORDINARY = 240

/**
 * Creates the loader of thumbnails for cells of a height in pixels. The images carry `data-id` and
 * `data-version`; `listen` reports their load and error events. `isIdle` is called when all wanted ones
 * have ended.
 */
export function createThumbnails({ rowHeight, isIdle }: Wishes): Thumbnails & {
  listen(canvas: HTMLElement): () => void
} {
  const names = new WeakMap<HTMLImageElement, string>()
  const images = new Map<string, HTMLImageElement>()
  let last = 0

  const queue = createPictureQueue({
    start(key) {
      const image = images.get(key)!
      const { id, version } = image.dataset
      const size = rowHeight() * devicePixelRatio > ORDINARY ? 640 : 320
      image.src = mediaUrl(id!, 'thumbnail', { v: version!, size })
    },
    stop(key) {
      const image = images.get(key)!
      // Otherwise the browser goes on loading what is out of view.
      if (image.isConnected) image.removeAttribute('src')
      // Once it is out of the page, Chromium would keep it without the attribute, and all that is around it.
      else image.src = ''
    },
  })

  const nameOf = (image: HTMLImageElement) => {
    let name = names.get(image)
    if (name === undefined) {
      name = String(++last)
      names.set(image, name)
    }
    return name
  }
  const ended = ({ type, target }: Event) => {
    if (!(target instanceof HTMLImageElement)) return
    const { id, version } = target.dataset
    if (type === 'error' && id && version !== undefined) {
      failed.value = new Set([...failed.peek(), thumbnailKey({ id, version })])
    }
    // A picture may be transparent.
    target.style.backgroundImage = ''
    queue.ended(nameOf(target))
    if (queue.isIdle()) isIdle()
  }

  let waiting: HTMLImageElement[] = []
  let isBlurring = false
  // A few per frame, because decoding costs more than the rest of a cell.
  const blur = () => {
    const end = performance.now() + BLUR_TIME
    while (waiting.length > 0 && performance.now() < end) {
      const image = waiting.shift()!
      const { hash } = image.dataset
      if (hash === undefined || image.complete || image.style.backgroundImage !== '') continue
      image.style.backgroundImage = `url(${blurredPicture(hash)})`
    }
    isBlurring = waiting.length > 0
    if (isBlurring) requestAnimationFrame(blur)
  }
  return {
    want(wanted) {
      const named = wanted.map((image) => [nameOf(image), image] as const)
      for (const [name, image] of named) images.set(name, image)
      queue.want(named.map(([name]) => name))
      const wantedNames = new Set(named.map(([name]) => name))
      for (const name of images.keys()) if (!wantedNames.has(name)) images.delete(name)
      waiting = [...wanted]
      if (!isBlurring) setTimeout(blur, BLUR_AFTER)
      isBlurring = true
      if (queue.isIdle()) isIdle()
    },
    listen(canvas) {
      canvas.addEventListener('load', ended, true)
      canvas.addEventListener('error', ended, true)
      const stop = effect(() => {
        void place.value
        // Pictures of an ended session were refused.
        failed.value = new Set()
      })
      return () => {
        stop()
        canvas.removeEventListener('load', ended, true)
        canvas.removeEventListener('error', ended, true)
        queue.want([])
        waiting = []
      }
    },
  }
}
