import { signal } from '@preact/signals'
import { act, api, asOneChange } from '../base/api.ts'
import { mediaUrl } from '../base/media.ts'
import { complain, toast } from '../base/toast.tsx'
import { files, selection } from '../grid/index.ts'
import { inSlices, slicesOf, type Target, tell } from '../tagging/index.ts'
import { bulk } from '../text/bulk.ts'

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

interface Change {
  /** Changes these files and returns the number of the operation. */
  change(file_ids: string[]): Promise<number | null>
  done(count: number): string
  failed(reason: string): string
  /** What the grid does about those that were changed, and those that were not. */
  after(ids: string[], others: string[]): void
}

function run(target: Target, change: Change): Promise<void> {
  return asOneChange(runSlices(target, change))
}

async function runSlices(target: Target, { change, done, failed, after }: Change): Promise<void> {
  const { ids, locked } = await target.ids()
  const stopping = new AbortController()
  const onProgress = (files: number) => {
    const isOver = files >= ids.length
    const end = () => stopping.abort()
    running.value = isOver ? null : { done: files, count: ids.length, end }
  }
  const { signal } = stopping
  const outcome = await inSlices(slicesOf(ids), change, { signal, onProgress })
  running.value = null
  const own = { ...target, count: ids.length }
  tell(own, { ...outcome, locked }, { done: done(outcome.done), failed })
  const isLocked = new Set(locked)
  if (outcome.done === 0) return
  const changed = new Set(ids.slice(0, outcome.done).filter((id) => !isLocked.has(id)))
  after(
    [...changed],
    ids.filter((id) => !changed.has(id)),
  )
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
    change: async (file_ids) => {
      const body = { file_ids, needs_review: false }
      return (await act(api.POST('/api/v1/files/bulk/review', { body }))).operation
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
    change: async (file_ids) =>
      (await act(api.POST('/api/v1/files/bulk/delete', { body: { file_ids } }))).operation,
    done: bulk().areTrashed,
    failed: bulk().notTrashed,
    after: (ids, others) => {
      files.forget(ids)
      selection.lose(ids, before, others)
    },
  })
}

/** Gives files another date, or moves the date of each. */
export function changeDates(target: Target, dates: Dates): Promise<void> {
  return run(target, {
    change: async (file_ids) =>
      (await act(api.POST('/api/v1/files/bulk/update', { body: { file_ids, ...dates } })))
        .operation,
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
