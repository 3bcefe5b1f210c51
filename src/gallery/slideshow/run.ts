import { type ReadonlySignal, signal } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'
import { api, ask } from '../base/api.ts'
import { untilBack } from '../base/connection.ts'
import { ApiError } from '../base/error.ts'
import { mediaUrl, turnOfFull } from '../base/media.ts'
import { complain } from '../parts/toast.tsx'
import { listing } from '../routes.ts'
import { viewer } from '../text/viewer.ts'
import { isMoving, mayMove } from '../viewer/facts.ts'
import { hasFrames } from '../viewer/layer.tsx'
import { random, type Show } from './show.ts'

/** A file that can be shown without waiting. */
export interface Slide {
  file: Schemas['File']
  isFilm: boolean
  /** The decoded picture, of a film its poster; null for a film without one. */
  image: HTMLImageElement | null
}

/** Shows the files of a slideshow one after the other, and round again. */
export interface Run {
  /** What is shown; null before the first file. */
  readonly slide: ReadonlySignal<Slide | null>
  /** Shows the next file, or the one before, once it is loaded; files that can't be shown are skipped. */
  step(way: 1 | -1): void
  /** Applies the choice between the files' own order and a random one. */
  reorder(): void
  stop(): void
}

/** Returns ids in random order after one of them. */
function shuffled(ids: readonly string[], first: string): string[] {
  const others = ids.filter((id) => id !== first)
  for (let last = others.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1))
    const id = others[last]!
    others[last] = others[other]!
    others[other] = id
  }
  return [first, ...others]
}

/** Creates the run of a slideshow; `onNothing` is called when none of its files can be shown. */
export function createRun({ first, ids }: Show, onNothing: () => void): Run {
  const slide = signal<Slide | null>(null)
  let listed = [first]
  let order = listed
  let place = 0
  /** Counts the steps; the last one wins. */
  let turn = 0
  const opening = load(first)
  let ahead: { id: string; loading: Promise<Slide | null> } | null = { id: first, loading: opening }

  const placeOf = (at: number) => (at + order.length) % order.length
  const lookAhead = () => {
    const id = order[placeOf(place + 1)]!
    if (ahead?.id !== id) ahead = { id, loading: load(id) }
  }
  const take = (id: string) => {
    const loading = ahead?.id === id ? ahead.loading : load(id)
    ahead = null
    return loading
  }
  const reorder = () => {
    const id = order[place]!
    order = random.peek() === 'on' ? shuffled(listed, id) : listed
    place = order.indexOf(id)
    if (slide.peek()) lookAhead()
  }
  const list = async () => {
    // The ids of a large library would delay the first picture.
    await opening
    const all = await read(ids)
    // The first file may have left the listing.
    listed = all.includes(first) ? all : [first, ...all]
    reorder()
  }
  const isListed = list()
  const go = async (way: 1 | -1) => {
    const own = ++turn
    let isFirst = slide.peek() === null
    for (let tried = 0; tried <= order.length; tried++) {
      if (!isFirst) {
        await isListed
        // Each step counts that was made before the ids were there.
        place = placeOf(place + way)
        if (own !== turn) return
      }
      isFirst = false
      const next = await take(order[place]!)
      if (own !== turn) return
      if (!next) continue
      slide.value = next
      await isListed
      if (own === turn) lookAhead()
      return
    }
    onNothing()
  }
  void go(1)
  return {
    slide,
    step: (way) => void go(way),
    reorder,
    stop() {
      turn++
    },
  }
}

/** Returns the ids; none if they can't be read. */
async function read(ids: () => Promise<string[]>): Promise<string[]> {
  try {
    return await ids()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'no_connection' && (await untilBack())) return read(ids)
    complain(error)
    return []
  }
}

/** Loads a file and its picture, after a lost connection is back; null if it can't be shown. */
async function load(id: string): Promise<Slide | null> {
  try {
    const params = { path: { file_id: id } }
    const file = await ask(api.GET('/api/v1/files/{file_id}', { params }))
    // It may have been moved to the trash, or out of it.
    const isListed = (file.trashed_at !== null) === (listing.peek().trash ?? false)
    return isListed ? await slideOf(file) : null
  } catch (error) {
    if (error instanceof ApiError && error.status > 0) return null
    return (await untilBack()) ? load(id) : null
  }
}

/** Returns the slide of a file; throws if its picture can't be loaded. */
async function slideOf(file: Schemas['File']): Promise<Slide> {
  const isFilm = file.mime_type.startsWith('video/')
  const moves = isMoving(file) || (mayMove(file) && (await hasFrames(file)))
  const image = new Image()
  image.alt = file.original_name ?? viewer().picture
  image.src = mediaUrl(file.id, moves ? 'full' : 'preview', { v: file.version })
  if (moves && turnOfFull(file) !== 0) image.dataset.turn = String(turnOfFull(file))
  try {
    await image.decode()
    return { file, isFilm, image }
  } catch (error) {
    if (!isFilm) throw error
    return { file, isFilm, image: null }
  }
}
