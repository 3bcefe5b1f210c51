import type { ReadonlySignal } from '@preact/signals'
import { complain } from '../parts/toast.tsx'
import { go, openFile } from '../routes.ts'
import { leaveFullScreen, random, type Show, show } from './show.ts'

/** Loads the component that shows a slideshow. */
export const loadSlideshow = async () => (await import('./slideshow.tsx')).Slideshow

/** The files of a listing, as far as a slideshow needs them. */
interface Listed {
  readonly total: ReadonlySignal<number | null>
  at(position: number): Promise<{ id: string } | null>
  ids(from: number): Promise<string[]>
}

/** Starts a slideshow of a listing, by default where its order begins. */
export function playListing(files: Listed, first?: string): void {
  const ids = () => files.ids(0)
  play(async () => {
    const id = first ?? (await files.at(placeOfFirst(files.total.peek() ?? 0)))?.id
    return id === undefined ? null : { first: id, ids }
  })
}

/** Starts a slideshow of the files whose ids `load` returns. */
export function playFiles(load: () => Promise<string[]>): void {
  play(async () => {
    const ids = await load()
    const first = ids[placeOfFirst(ids.length)]
    return first === undefined ? null : { first, ids: async () => ids }
  })
}

function placeOfFirst(count: number): number {
  return random.peek() === 'on' ? Math.floor(Math.random() * count) : 0
}

/** Whether a slideshow is about to begin. */
let isStarting = false

function play(prepare: () => Promise<Show | null>): void {
  // Of a double click, the second one.
  if (isStarting || show.peek()) return
  isStarting = true
  const { pathname } = location
  let wasFull = false
  // At once: browsers refuse it some time after the click or key. On iPhones there is none.
  const entered = document.documentElement.requestFullscreen?.().then(
    () => {
      wasFull = true
    },
    () => {},
  )
  const begin = async () => {
    // The screen that loads it reports its failure.
    const [next] = await Promise.all([prepare(), loadSlideshow().catch(() => {})])
    // The user has gone elsewhere meanwhile, or has left the full screen.
    const isLeft = location.pathname !== pathname || (wasFull && !document.fullscreenElement)
    if (!next || isLeft) return
    show.value = next
    if (openFile.peek() !== next.first) go({ path: `/f/${next.first}`, at: next.first })
  }
  void begin()
    .catch(complain)
    .finally(() => {
      isStarting = false
    })
    .then(() => entered)
    // It may have ended before the screen was full.
    .then(() => show.peek() ?? leaveFullScreen())
}
