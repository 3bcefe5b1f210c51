import { signal } from '@preact/signals'
import type { Answer, Schemas } from '../../../client/index.ts'
import { act, api, asOneChange } from '../base/api.ts'
import { mediaUrl } from '../base/media.ts'
import { complain, toast } from '../base/toast.tsx'
import { files, selection } from '../grid/index.ts'
import { inSlices, slicesOf, type Target, tell } from '../tagging/index.ts'
import { bulk } from '../text/bulk.ts'
import { readCells } from './target.ts'
import { zonesOf } from './zones.ts'

/** A change of many files that is under way. */
interface Running {
  done: number
  count: number
  end(): void
}

/** What is under way, from its second request on; null for nothing. */
export const running = signal<Running | null>(null)

/** A date for all files, or by how much each is moved. */
type Dates = { set: { content_datetime: string } } | { shift_minutes: number }

/** Sends a change and returns the answer; it is counted and can be undone. Throws an ApiError. */
type Send = <Data>(call: Promise<Answer<Data>>) => Promise<Data>

interface Change {
  /** Changes these files. Throws an ApiError. */
  change(file_ids: string[], send: Send): Promise<unknown>
  done(count: number): string
  failed(reason: string): string
  /** What the grid does about those that were changed, and those that were not. */
  after(ids: string[], others: string[]): void
}

function run(target: Target, change: Change): Promise<void> {
  return asOneChange(runSlices(target, change))
}

async function runSlices(target: Target, { change, done, failed, after }: Change): Promise<void> {
  const { ids, locked: known } = await target.ids()
  const isLocked = new Set(known)
  const operations: number[] = []
  const send: Send = async (call) => {
    const { data, operation } = await act(call)
    if (operation !== null) operations.push(operation)
    for (const id of skippedOf(data)) isLocked.add(id)
    return data
  }
  const stopping = new AbortController()
  const onProgress = (files: number) => {
    const isOver = files >= ids.length
    const end = () => stopping.abort()
    running.value = isOver ? null : { done: files, count: ids.length, end }
  }
  const { signal } = stopping
  const changeSlice = async (slice: string[]) => {
    await change(slice, send)
    return null
  }
  const outcome = await inSlices(slicesOf(ids), changeSlice, { signal, onProgress })
  running.value = null
  const locked = ids.filter((id) => isLocked.has(id))
  const own = { ...target, count: ids.length }
  tell(own, { ...outcome, operations, locked }, { done: done(outcome.done), failed })
  if (outcome.done === 0) return
  const changed = new Set(ids.slice(0, outcome.done).filter((id) => !isLocked.has(id)))
  after(
    [...changed],
    ids.filter((id) => !changed.has(id)),
  )
}

/** Returns the ids of the files that an answer says it left out. */
function skippedOf(data: unknown): string[] {
  return (data as Partial<Schemas['BulkResult']> | undefined)?.skipped_ids ?? []
}

/** Above so many files, the listing is read anew instead of each of them. */
const FEW = 1000

function renew(ids: string[]): void {
  const reading = ids.length > FEW ? files.refresh() : files.renew(ids)
  reading.catch(complain)
}

/** Marks files as reviewed. */
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

/** Moves files to the trash. */
export function trash(target: Target): Promise<void> {
  const before = selection.selected.peek()
  return run(target, {
    change: (file_ids, send) => send(api.POST('/api/v1/files/bulk/delete', { body: { file_ids } })),
    done: bulk().areTrashed,
    failed: bulk().notTrashed,
    after: (ids, others) => {
      files.forget(ids)
      selection.lose(ids, before, others)
    },
  })
}

/** Gives files a date that the clock of each then shows, or moves the date of each. */
export function changeDates(target: Target, dates: Dates): Promise<void> {
  return run(target, {
    change: async (file_ids, send) => {
      const update = (file_ids: string[], dates: Dates) =>
        send(api.POST('/api/v1/files/bulk/update', { body: { file_ids, ...dates } }))
      const { skipped_ids } = await update(file_ids, dates)
      if (!('set' in dates)) return
      // Each file keeps its zone, which the page doesn't know before all have the same instant.
      const skipped = new Set(skipped_ids)
      const changed = file_ids.filter((id) => !skipped.has(id))
      const read = (query: { from: string; to: string; cursor?: string }) =>
        readCells({ ...query, sort: 'content_datetime', order: 'asc' })
      const zones = await zonesOf(changed, dates.set.content_datetime, read)
      for (const [shift_minutes, ids] of zones) await update(ids, { shift_minutes })
    },
    done: bulk().areDated,
    failed: bulk().notDated,
    after: () => void files.refresh().catch(complain),
  })
}

/** So many downloads a browser can be asked for in a row. */
const DOWNLOADS = 100
/** Milliseconds between two of them: of those asked for at once, some are lost. */
const PAUSE = 300

/** Lets the browser fetch the files, one by one. */
export async function download(target: Target): Promise<void> {
  if (target.count > DOWNLOADS) {
    toast({ text: bulk().tooManyDownloads(DOWNLOADS), kind: 'bad' })
    return
  }
  const { ids } = await target.ids()
  toast({ text: bulk().downloading(ids.length), kind: 'info' })
  for (const id of ids) {
    const link = document.createElement('a')
    link.href = mediaUrl(id, 'content')
    link.download = ''
    link.click()
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}
