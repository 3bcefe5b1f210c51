import type { Schemas } from '../../client/index.ts'
import { api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { number, type Precision, bytes as sizeOf } from '../base/format.ts'
import { hasHeart } from '../base/hearts.ts'
import type { Listing } from '../base/listing.ts'
import { mediaUrl } from '../base/media.ts'
import { withFilms } from '../base/pairs.ts'
import { sendHearts, showHearts } from '../favourites/index.ts'
import { files, selection } from '../grid/index.ts'
import { complain, toast } from '../parts/toast.tsx'
import { addedTo, type Pool, reloadPools } from '../pool-box/index.ts'
import { areFavourites } from '../routes.ts'
import type { Target } from '../tag-box/index.ts'
import { bulk } from '../text/bulk.ts'
import { common } from '../text/common.ts'
import { poolBox } from '../text/pool-box.ts'
import { run, takeOut } from './run.ts'
import { readCells } from './target.ts'
import { zonesOf } from './zones.ts'

type Asked = Schemas['ArchiveAsked']

/** The most files of an archive that are requested by their ids. */
const MOST_NAMED = 25_000

/**
 * Lets the browser download what is chosen, live photos with their films; with sidecars, always as a ZIP. Throws an
 * ApiError.
 */
export async function download(target: Target, hasSidecars = false): Promise<void> {
  const { count, listing } = target
  const asked = listing && askedOf(listing)
  if (asked && !listing.filter && !listing.search) return archive(asked, count, hasSidecars)
  const ids = withFilms((await target.ids()).ids)
  // A filter or a search may find pictures without their films, which an archive must have all the same.
  if (asked && ids.length === count) return archive(asked, count, hasSidecars)
  await downloadNamed(ids, hasSidecars)
}

/** Downloads a live photo with its film, and leaves any other file to the link that was clicked. */
export function downloadPair(clicked: Event, id: string): void {
  const ids = withFilms([id])
  if (ids.length === 1) return
  clicked.preventDefault()
  downloadNamed(ids).catch(complain)
}

async function downloadNamed(ids: string[], hasSidecars = false): Promise<void> {
  if (ids.length === 1 && !hasSidecars) save(mediaUrl(ids[0]!, 'content'))
  else if (ids.length > MOST_NAMED) toast({ text: bulk().tooManyNamed(MOST_NAMED), kind: 'bad' })
  else await archive({ file_ids: ids }, ids.length, hasSidecars)
}

async function archive(body: Asked, count: number, hasSidecars: boolean): Promise<void> {
  const words = bulk()
  try {
    const { token, files, bytes } = await ask(api.POST('/api/v1/files/archive', { body }))
    if (files === 0) {
      toast({ text: words.noArchive, kind: 'bad' })
      return
    }
    const query = { access_token: token, ...(hasSidecars && { sidecars: '1' }) }
    save(`/api/v1/files/archive?${new URLSearchParams(query)}`)
    const size = sizeOf(bytes)
    const text =
      files < count ? words.archivePart(files, number(count), size) : words.archive(files, size)
    toast({ text, kind: 'info' })
  } catch (error) {
    const isTooLarge = error instanceof ApiError && error.status === 400
    if (!isTooLarge) throw error
    toast({ text: words.archiveTooLarge, kind: 'bad' })
  }
}

/** Returns a listing as the API names it; undefined if an archive can't be requested by it. */
function askedOf({ filter, search, from, to, pool, sort, trash }: Listing): Asked | undefined {
  const isTimed = from !== undefined || to !== undefined
  // Times refer to the time that the listing is sorted by, but for archives to when a file was taken.
  if (trash || (isTimed && sort === 'created')) return undefined
  const isFiltered = isTimed || filter || search
  if (pool !== undefined) return isFiltered ? undefined : { pool_id: pool }
  return {
    filter: filter ?? '',
    ...(search && { search }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

function save(href: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  link.click()
}

/** One date for all files, or by how much each is shifted. */
type Dates =
  | { set: { content_datetime: string; date_precision: Precision } }
  | { shift_minutes: number }

/** Above this number of files, the listing is read again instead of each file. */
const FEW = 1000

/** Updates changed files in the grid. */
export function renew(ids: string[]): void {
  const reading = ids.length > FEW ? files.refresh() : files.renew(ids)
  reading.catch(complain)
}

export function review(target: Target): Promise<void> {
  return run(target, {
    change: (file_ids, send) => {
      const body = { file_ids, needs_review: false }
      return send(api.POST('/api/v1/files/bulk/review', { body }))
    },
    done: bulk().areReviewed,
    failed: bulk().notReviewed,
    after: renew,
  })
}

/** Makes the selected files favourites; if all of them are, they no longer are. */
export function heart(target: Target): Promise<void> {
  return setHearts(target, !areHearted())
}

/** Whether all selected files are favourites, as far as the page knows. */
function areHearted(): boolean {
  if (areFavourites.peek()) return true
  const selected = selection.selected.peek()
  if (selected.kind === 'all') return false
  const flags = files.flags()
  return [...selected.ids].every((id) => hasHeart({ id, flags: flags.get(id) ?? 0 }))
}

function setHearts(target: Target, isOn: boolean): Promise<void> {
  const words = bulk()
  const areLeaving = areFavourites.peek() && !isOn
  return (areLeaving ? takeOut : run)(unlocked(target), {
    change: async (file_ids, send) => {
      // Some may have been favourites before.
      const takeBack = showHearts(file_ids, isOn)
      try {
        const { skipped_ids } = await send(sendHearts(file_ids, isOn))
        takeBack(skipped_ids)
      } catch (error) {
        takeBack(file_ids)
        throw error
      }
    },
    done: async (count, ids) => {
      if (isOn) return { text: words.areFavourites(count) }
      const back = { key: ids.join(), count, ids: async () => ({ ids, locked: [] }) }
      const act = () =>
        void setHearts(back, true)
          .then(() => files.refresh())
          .catch(complain)
      return { text: words.areNone(count), action: { text: common().undo, act } }
    },
    failed: words.notHearted,
    after() {},
  })
}

/** Moves files to the trash. */
export async function trash(target: Target): Promise<void> {
  await takeOut(target, {
    change: (file_ids, send) => send(api.POST('/api/v1/files/bulk/delete', { body: { file_ids } })),
    done: bulk().areTrashed,
    failed: bulk().notTrashed,
  })
  reloadPools()
}

/** Sets a date, or a part of one, that the local clock of each file then shows, or shifts the date of each. */
export function changeDates(target: Target, dates: Dates): Promise<void> {
  return run(target, {
    change: async (file_ids, send) => {
      const update = (file_ids: string[], dates: Dates) =>
        send(api.POST('/api/v1/files/bulk/update', { body: { file_ids, ...dates } }))
      const { skipped_ids } = await update(file_ids, dates)
      if (!('set' in dates)) return
      const { content_datetime: instant, date_precision: precision } = dates.set
      // The middle of a month is in that month everywhere.
      if (precision === 'month' || precision === 'year') return
      // Each file keeps its zone, which the page can find out only once all have the same instant.
      const skipped = new Set(skipped_ids)
      const changed = file_ids.filter((id) => !skipped.has(id))
      const read = (query: { from: string; to: string; cursor?: string }) =>
        readCells({ ...query, sort: 'content_datetime', order: 'asc' })
      const zones = await zonesOf(changed, { instant, precision }, read)
      for (const [shift_minutes, ids] of zones) await update(ids, { shift_minutes })
    },
    done: bulk().areDated,
    failed: bulk().notDated,
    after: () => void files.refresh().catch(complain),
  })
}

/** Turns files clockwise by degrees, each from how it is turned now. */
export function turn(target: Target, by: 90 | 270): Promise<void> {
  return run(target, {
    change: (file_ids, send) =>
      send(api.POST('/api/v1/files/bulk/update', { body: { file_ids, turn: by } })),
    done: bulk().areTurned,
    failed: bulk().notTurned,
    after: renew,
  })
}

type Named = Pick<Pool, 'id' | 'name'>

/** Adds files to the end of a pool; every user that sees a file may do that. */
export function putIntoPool(target: Target, pool: Pool): Promise<void> {
  const params = { path: { pool_id: pool.id } }
  return run(unlocked(target), {
    change: (file_ids, send) =>
      send(api.POST('/api/v1/pools/{pool_id}/files', { params, body: { file_ids } })),
    done: (count, ids) => addedTo(pool, count, ids),
    failed: poolBox().notPut,
    after: reloadPools,
  })
}

/** Removes files from the pool that is shown. */
export async function takeOutOfPool(target: Target, { id, name }: Named): Promise<void> {
  const params = { path: { pool_id: id } }
  await takeOut(unlocked(target), {
    change: (file_ids, send) =>
      send(api.POST('/api/v1/pools/{pool_id}/files/remove', { params, body: { file_ids } })),
    done: (count) => poolBox().areTakenOut(count, name),
    failed: poolBox().notTakenOut,
  })
  reloadPools()
}

/** Only the right to the pool matters, not that to the files. */
function unlocked(target: Target): Target {
  return { ...target, ids: async () => ({ ...(await target.ids()), locked: [] }) }
}
